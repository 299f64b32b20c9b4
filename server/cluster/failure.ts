// What can go wrong between the lab and an API server, as a cause and a remedy. Nothing in here ever carries a kubeconfig's
// contents, a token or a certificate: messages are built from codes and names, never from what a library printed.

/** A failure in words: what happened, and what to do. */
export interface ClusterProblem {
  readonly cause: string;
  readonly remedy: string;
}

export class ClusterFailure extends Error {
  readonly problem: ClusterProblem;
  constructor(problem: ClusterProblem) {
    super(`${problem.cause} ${problem.remedy}`);
    this.problem = problem;
  }
}

export const fail = (cause: string, remedy: string): never => {
  throw new ClusterFailure({ cause, remedy });
};

/** The codes of Node's errors that mean a certificate is not trusted. */
const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** The `code` of a Node error, its cause's or the first of an aggregate's, or "". */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string") return code;
  const errors: unknown = Reflect.get(error, "errors");
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  const cause: unknown = Reflect.get(error, "cause");
  return cause === undefined ? "" : codeOf(cause);
}

/** Why a connection failed, by its code alone. */
export function connectionProblem(error: unknown): ClusterProblem {
  const code = codeOf(error);
  if (UNTRUSTED.has(code))
    return {
      cause: `The API server's certificate is not trusted (${code}).`,
      remedy:
        "Give the cluster's CA in the kubeconfig (certificate-authority or certificate-authority-data).",
    };
  switch (code) {
    case "ECONNREFUSED":
      return {
        cause: "Nothing listens at the API server's address (connection refused).",
        remedy: "Start the API server, or choose another context with --context.",
      };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        cause: "The API server's name cannot be resolved.",
        remedy: "Check the server address in the kubeconfig, and the network or VPN.",
      };
    case "ECONNRESET":
    case "EPIPE":
      return {
        cause: "The connection to the API server was broken off.",
        remedy: "Try again; if it stays, look at the API server's log.",
      };
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return {
        cause: "The API server cannot be reached.",
        remedy: "Check the network, the VPN, and the server address in the kubeconfig.",
      };
    default:
      return {
        cause: `The call to the API server failed${code === "" ? "" : ` (${code})`}.`,
        remedy: "Check that kubectl works with the same kubeconfig and context.",
      };
  }
}
