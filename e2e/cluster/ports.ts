// Free ports on the loopback interface.
import { connect, createServer, type Server } from "node:net";

export const LOOPBACK = "127.0.0.1";

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: LOOPBACK, port: 0, exclusive: true }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") {
        reject(new Error(`Expected a TCP address from the system, got ${String(address)}.`));
        return;
      }
      resolve(address.port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
  });
}

/**
 * `count` different ports that were free a moment ago. All are held until the last one is known, so that they
 * differ. Between this answer and their use another process may take one: whoever starts a server on them
 * must be ready to ask again (`start.ts` does).
 */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(servers.map(listen));
  } finally {
    await Promise.all(servers.filter((server) => server.listening).map(close));
  }
}

/** Whether something on the loopback interface accepts a connection to this port. */
export function isAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
