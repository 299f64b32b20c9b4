import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { findFreePorts, isAnswering, LOOPBACK } from "./ports.ts";

describe("findFreePorts", () => {
  it("gives as many different ports as asked for", async () => {
    expect(new Set(await findFreePorts(20)).size).toBe(20);
  });

  it("gives ports on which one can listen, and on which nobody does", async () => {
    const [port = 0] = await findFreePorts(1);
    expect(await isAnswering(port)).toBe(false);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, LOOPBACK, resolve);
    });
    expect(await isAnswering(port)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });
});
