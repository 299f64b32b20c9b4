// The in-memory register behind the interface of the contract.
import { serveHttp } from "../http.ts";
import { emptyStore, type LeaseStore } from "../register.ts";
import type { RegisterUnderTest } from "./row.ts";

const NAMESPACE = "contract";

/** A register that starts empty. It keeps its store between requests, as a server does. */
export function createMemoryRegister(): RegisterUnderTest {
  let store: LeaseStore = emptyStore;
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
