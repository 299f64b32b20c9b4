// A real API server behind the interface of the register's contract.
import { readFile } from "node:fs/promises";
import { Agent, request as httpsRequest } from "node:https";
import { parse } from "yaml";
import type { Caller, RegisterAnswer, RegisterUnderTest } from "../../shared/protocol/lease/contract/row.ts";
import type { Cluster } from "../cluster/start.ts";

export interface ServerRegister extends RegisterUnderTest {
  /** Closes the connections that are kept open between requests. */
  readonly close: () => void;
}

/** Sends what the rows of the contract ask for, byte by byte as they ask, to the cluster's namespace. */
export async function createServerRegister(cluster: Cluster): Promise<ServerRegister> {
  // A race needs its clients to be there at once, and not to wait for each other's connection.
  const agent = new Agent({ keepAlive: true, ca: cluster.certificateAuthority });
  const authorisation: Readonly<Record<Caller | "administrator", string | null>> = {
    administrator: `Bearer ${await tokenOf(cluster.kubeconfigs.administrator)}`,
    stranger: `Bearer ${await tokenOf(cluster.kubeconfigs.stranger)}`,
    "bad-token": "Bearer nobody-issued-this",
    anonymous: null,
  };
  return {
    close: () => agent.destroy(),
    send: ({ method, name, namespace, query = {}, contentType, body, as }) => {
      const url = new URL(cluster.server);
      const home = namespace === "absent" ? "namespace-that-is-absent" : cluster.namespace;
      url.pathname = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases${
        name === undefined ? "" : `/${encodeURIComponent(name)}`
      }`;
      for (const [key, value] of Object.entries(query)) url.searchParams.append(key, value);
      const bytes = body === undefined ? null : Buffer.from(body, "utf8");
      const bearer = authorisation[as ?? "administrator"];
      return new Promise<RegisterAnswer>((resolve, reject) => {
        const request = httpsRequest(url, {
          method,
          agent,
          signal: AbortSignal.timeout(30_000),
          headers: {
            accept: "application/json",
            ...(bearer === null ? {} : { authorization: bearer }),
            ...(bytes === null
              ? {}
              : { "content-type": contentType ?? "application/json", "content-length": bytes.length }),
          },
        });
        request.once("error", reject);
        request.once("response", (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.once("error", reject);
          response.once("end", () => {
            try {
              resolve({
                code: response.statusCode ?? 0,
                body: JSON.parse(Buffer.concat(parts).toString("utf8")) as unknown,
                warning: response.headers.warning ?? null,
              });
            } catch (error) {
              reject(error);
            }
          });
        });
        request.end(bytes ?? undefined);
      });
    },
  };
}

/** The token of the one user of a kubeconfig of the cluster. */
async function tokenOf(kubeconfig: string): Promise<string> {
  const { users } = parse(await readFile(kubeconfig, "utf8")) as {
    readonly users: readonly [{ readonly user: { readonly token: string } }];
  };
  return users[0].user.token;
}
