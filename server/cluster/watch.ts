// Watches one Lease: every change is told, whoever made it. A watch that ends is resumed where it was; one that has grown too
// old (410) is started anew from a fresh list.
import { leaseOfManifest } from "../../shared/protocol/lease/manifest.ts";
import type { Lease } from "../../shared/protocol/lease/lease.ts";
import { parseWith, z } from "../../shared/base/schema.ts";
import { NoAnswer, type Connection } from "./connect.ts";
import { CALL_TIMEOUT_MS, leasesPath, parseJson } from "./leases.ts";

export interface Watching {
  stop(): void;
}

const eventSchema = z.object({ type: z.string(), object: z.unknown() });
const listSchema = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  items: z.array(z.unknown()),
});

/** The first pause after a failure; doubles up to {@link PAUSE_MAX_MS}. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 5000;

/** `told` gets the Lease as it is after each change; null when it is gone. */
export function watchLease(
  connection: Connection,
  name: string,
  told: (lease: Lease | null) => void,
): Watching {
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
    const lease =
      item === undefined
        ? null
        : leaseOfManifest({ kind: "Lease", apiVersion: "coordination.k8s.io/v1", ...(item as object) });
    if (lease === null) told(null);
    else if (lease.ok) told(lease.value);
  };

  const run = async (): Promise<void> => {
    let pause = PAUSE_MS;
    while (!ended.signal.aborted) {
      try {
        if (resourceVersion === "") await list();
        let tooOld = false;
        const { status } = await connection.stream(
          `${leasesPath(namespace)}?watch=1&allowWatchBookmarks=true&${selector}&resourceVersion=${encodeURIComponent(resourceVersion)}`,
          (line) => {
            const event = parseWith(eventSchema, parseJson(line));
            if (!event.ok) return;
            if (event.value.type === "ERROR") {
              tooOld = true;
              return;
            }
            const lease = leaseOfManifest(event.value.object);
            const version = versionOf(event.value.object);
            if (version !== "") resourceVersion = version;
            pause = PAUSE_MS;
            if (event.value.type === "BOOKMARK" || !lease.ok) return;
            told(event.value.type === "DELETED" ? null : lease.value);
          },
          ended.signal,
        );
        if (tooOld || status === 410) resourceVersion = "";
        else if (status >= 300) throw new NoAnswer("connection", `HTTP ${status}`);
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

function versionOf(object: unknown): string {
  const parsed = parseWith(z.object({ metadata: z.object({ resourceVersion: z.string() }) }), object);
  return parsed.ok ? parsed.value.metadata.resourceVersion : "";
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
