// Why there is no API server to be had: one error with a code, whose sentence names the way out.

export type ClusterErrorCode =
  /** KUBEBUILDER_ASSETS or TEST_ASSET_* are set, but do not lead to both programs. */
  | "assets-incomplete"
  /** No programs, and no Go to build them with. */
  | "no-server"
  /** The Go toolchain could not build the programs. */
  | "build-failed"
  /** The programs were started, but never became ready. */
  | "start-failed"
  /** The API server is up, and refused what the set-up asked of it. */
  | "refused"
  /** The caller gave up, through its AbortSignal, before the cluster was ready. */
  | "aborted"
  /** A file of e2e/cluster is not where it belongs. */
  | "files-missing"
  /** The cluster was stopped, or is in a state that does not allow this. */
  | "wrong-state";

/** Its message is whole sentences: expected, got, remedy. It never holds a token. */
export class ClusterError extends Error {
  readonly code: ClusterErrorCode;

  constructor(code: ClusterErrorCode, message: string) {
    super(message);
    this.name = "ClusterError";
    this.code = code;
  }
}
