// Watches one Lease: every change is told, whoever made it. A watch that ends is resumed where it was; one that has grown too
// old (410) is started anew from a fresh list.
import { leaseOfManifest } from "../../shared/protocol/lease/manifest.ts";
import type { Lease } from "../../shared/protocol/lease/lease.ts";
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import type { Connection } from "./connect.ts";
import { CALL_TIMEOUT_MS, leasesPath, parseJson } from "./leases.ts";
import { NoAnswer } from "./transport.ts";

export interface Watching {
  stop(): void;
}

/** What a watch has seen. `absent` comes from a list, which does not say what was deleted. */
export type Sight =
  | { readonly kind: "present"; readonly lease: Lease }
  | { readonly kind: "deleted"; readonly uid: string }
  | { readonly kind: "absent" };

const eventSchema = z.object({ type: z.string(), object: z.unknown() });
const listSchema = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  items: z.array(z.unknown()),
});
const versionSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

/** The first pause after a failure; doubles up to {@link PAUSE_MAX_MS}. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 5000;

export function watchLease(connection: Connection, name: string, told: (sight: Sight) => void): Watching {
  const ended = new AbortController();
  const { namespace } = connection.identity;
  const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  let resourceVersion = "";

  /** Lists: where the watch starts, and what was missed while none ran. */
  const list = async (): Promise<void> => {
    const answer = await connection.call({
      method: "GET",
      path: `${leasesPath(namespace)}?${selector}`,
      timeoutMs: CALL_TIMEOUT_MS,
      signal: ended.signal,
    });
    const parsed = parseWith(listSchema, parseJson(answer.body));
    if (!parsed.ok) throw new NoAnswer("connection", `HTTP ${answer.status}`);
    resourceVersion = parsed.value.metadata.resourceVersion;
    const [item] = parsed.value.items;
    if (item === undefined) return told({ kind: "absent" });
    const lease = leaseOfManifest({
      kind: "Lease",
      apiVersion: "coordination.k8s.io/v1",
      ...(item as object),
    });
    if (lease.ok) told({ kind: "present", lease: lease.value });
  };

  const run = async (): Promise<void> => {
    let pause = PAUSE_MS;
    while (!ended.signal.aborted) {
      try {
        if (resourceVersion === "") await list();
        let tooOld = false;
        let heard = false;
        const { status } = await connection.stream(
          `${leasesPath(namespace)}?watch=1&allowWatchBookmarks=true&${selector}&resourceVersion=${encodeURIComponent(resourceVersion)}`,
          (line) => {
            heard = true;
            const event = parseWith(eventSchema, parseJson(line));
            if (!event.ok) return;
            if (event.value.type === "ERROR") {
              tooOld = true;
              return;
            }
            const version = parseWith(versionSchema, event.value.object);
            if (version.ok) ({ resourceVersion } = version.value.metadata);
            pause = PAUSE_MS;
            if (event.value.type === "BOOKMARK") return;
            const lease = leaseOfManifest(event.value.object);
            if (!lease.ok) return;
            told(
              event.value.type === "DELETED"
                ? { kind: "deleted", uid: lease.value.uid }
                : { kind: "present", lease: lease.value },
            );
          },
          ended.signal,
        );
        if (tooOld || status === 410) resourceVersion = "";
        else if (status >= 300) throw new NoAnswer("connection", `HTTP ${status}`);
        // A stream that ends without a word is no reason to ask without end.
        if (!heard) await sleep(PAUSE_MS, ended.signal);
      } catch (error) {
        if (ended.signal.aborted) return;
        if (!(error instanceof Error)) throw error;
        // After a failure nothing is known of what was missed.
        resourceVersion = "";
        await sleep(pause, ended.signal);
        pause = Math.min(pause * 2, PAUSE_MAX_MS);
      }
    }
  };
  void run();
  return { stop: () => ended.abort() };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
