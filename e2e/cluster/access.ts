// Who may do what on the throwaway cluster: three users, one namespace, one Role.
import { randomBytes } from "node:crypto";
import { labRole, labRoleBinding } from "../../server/cluster/access.ts";
import type { Api, ApiResponse } from "./api.ts";
import { ClusterError } from "./errors.ts";

/**
 * The users of the cluster. `administrator` may do everything; `lab` may use the Leases of the one namespace and
 * nothing else; `stranger` is known to the server and may do nothing.
 */
export type UserName = "administrator" | "lab" | "stranger";

export interface User {
  readonly name: UserName;
  readonly token: string;
  readonly groups: readonly string[];
}

/** The three users, each with a token that nobody can guess. */
export function createUsers(): Readonly<Record<UserName, User>> {
  const create = (name: UserName, groups: readonly string[]): User => ({
    name,
    groups,
    token: randomBytes(32).toString("base64url"),
  });
  return {
    administrator: create("administrator", ["system:masters"]),
    lab: create("lab", []),
    stranger: create("stranger", []),
  };
}

/** The text of the file that --token-auth-file takes: token, user name, user id, groups. */
export function renderTokenFile(users: Readonly<Record<UserName, User>>): string {
  return Object.values(users)
    .map((user) => `${user.token},${user.name},${user.name},"${user.groups.join(",")}"\n`)
    .join("");
}

function expectStatus(what: string, response: ApiResponse, statuses: readonly number[]): void {
  if (statuses.includes(response.status)) return;
  const message = (response.body as { readonly message?: string } | null)?.message ?? String(response.body);
  throw new ClusterError(
    "refused",
    `Expected the new API server to answer ${statuses.join(" or ")} to ${what}, got ${response.status}: ${message}. ` +
      "Check that the programs are of the versions in e2e/cluster/go.mod.",
  );
}

/**
 * Throws unless Kubernetes would take this name for a namespace: an RFC 1123 label. Asked before the servers start,
 * so that nobody waits for a refusal.
 *
 * @throws ClusterError `refused`.
 */
export function checkNamespace(name: string): void {
  if (name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) return;
  throw new ClusterError(
    "refused",
    "Expected a namespace of at most 63 lower-case letters, digits and hyphens that begins and ends with a letter or " +
      `digit, got ${JSON.stringify(name)}. Choose another name, for example epoch-lab.`,
  );
}

export interface GrantOptions {
  readonly administrator: Api;
  readonly lab: Api;
  readonly namespace: string;
  /** Waits a moment; throws when it is time to give up waiting for the permission to take effect. */
  readonly pause: () => Promise<void>;
}

/**
 * Creates the namespace, the Role and the RoleBinding, and waits until the server's authorizer has seen them,
 * which it does through a watch and so a moment after the answer.
 */
export async function grantAccess({ administrator, lab, namespace, pause }: GrantOptions): Promise<void> {
  const metadata = { name: namespace };
  // 409: `default` and its like are there from the start.
  expectStatus(
    `creating the namespace ${namespace}`,
    await administrator({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata },
    }),
    [201, 409],
  );
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}`;
  for (const [resource, body] of [
    ["roles", labRole(namespace)],
    ["rolebindings", labRoleBinding(namespace, { kind: "User", name: "lab" })],
  ] as const) {
    expectStatus(
      `creating ${resource}`,
      await administrator({ method: "POST", path: `${rbac}/${resource}`, body }),
      [201],
    );
  }
  for (;;) {
    const response = await lab({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: {
          resourceAttributes: { namespace, verb: "update", group: "coordination.k8s.io", resource: "leases" },
        },
      },
    });
    expectStatus("a SelfSubjectAccessReview", response, [201]);
    const review = response.body as { readonly status?: { readonly allowed?: boolean } };
    if (review.status?.allowed === true) return;
    await pause();
  }
}
