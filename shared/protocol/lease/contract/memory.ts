// The in-memory register behind the interface of the contract.
import { serveHttp } from "../http.ts";
import { emptyStore, type LeaseStore } from "../register.ts";
import type { RegisterUnderTest } from "./row.ts";

const NAMESPACE = "contract";

/**
 * A register without a Lease. It keeps its store between requests, as a server does, and its counter has
 * already counted other writes, as a server's has: so the version 1 of some rows is an old one.
 */
export function createMemoryRegister(): RegisterUnderTest {
  let store: LeaseStore = { ...emptyStore, revision: 1_000 };
  return {
    send: (request) => {
      const { method, name, namespace, query, contentType, body } = request;
      const [next, answer] = serveHttp(store, NAMESPACE, {
        method,
        namespace: namespace === "absent" ? "namespace-that-is-absent" : NAMESPACE,
        ...(name === undefined ? {} : { name }),
        ...(query === undefined ? {} : { query }),
        ...(contentType === undefined ? {} : { headers: { "content-type": contentType } }),
        ...(body === undefined ? {} : { body }),
      });
      store = next;
      // Through text, so that what is compared is what would go over the wire.
      return Promise.resolve({
        code: answer.code,
        body: JSON.parse(JSON.stringify(answer.body)) as unknown,
        warning: answer.warning ?? null,
      });
    },
  };
}
