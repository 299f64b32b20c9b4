// Waiting: for the API server's certificate, and for it to say that it is ready.
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createApi, type Api } from "./api.ts";
import { ClusterError } from "./errors.ts";

/** How often readiness is asked for, in milliseconds. */
const POLL_MS = 25;

/** Waits a moment before the next look; throws when the deadline is over. `last` says what the last look found. */
export async function pause(deadline: AbortSignal, last: string): Promise<void> {
  try {
    await delay(POLL_MS, undefined, { signal: deadline });
  } catch {
    // Two reasons end a wait: a failure, which has its own error, and time.
    if (deadline.reason instanceof ClusterError) throw deadline.reason;
    throw new ClusterError(
      "start-failed",
      `Expected the API server to be ready in time, and it was not: ${last}. Start it again when the machine has less to do.`,
    );
  }
}

/**
 * Waits for the certificate that the server signs for itself, and then for `/readyz`. The file holds the serving
 * certificate and the authority that signed it, so it serves as the authority in a kubeconfig.
 */
export async function waitUntilReady(context: {
  readonly server: string;
  readonly certificateFile: string;
  readonly token: string;
  readonly deadline: AbortSignal;
}): Promise<{ readonly certificateAuthority: string; readonly administrator: Api }> {
  const { server, certificateFile, token, deadline } = context;
  let last = "its certificate is not there yet";
  for (;;) {
    try {
      const certificateAuthority = await readFile(certificateFile, "utf8");
      const administrator = createApi({ server, certificateAuthority, token });
      const { status, body } = await administrator({ method: "GET", path: "/readyz", timeoutMs: 2_000 });
      if (status === 200) return { certificateAuthority, administrator };
      const failing = String(body).match(/^\[-\]\S+/gm) ?? [];
      last = `/readyz answered ${[status, ...failing].join(" ")}`;
    } catch (error) {
      // Not listening yet, or the certificate is being written: both are as expected until the deadline.
      if (error instanceof Error) last = error.message;
    }
    await pause(deadline, last);
  }
}
