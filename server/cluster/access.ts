// What the lab needs to be allowed: a Role on the Leases of one namespace, as the objects that an API server takes.

/** What the lab does with a Lease. No `patch`: every one of its changes is a conditional replace. */
export const LEASE_VERBS = ["get", "list", "watch", "create", "update", "delete"] as const;
export type LeaseVerb = (typeof LEASE_VERBS)[number];

const NAME = "epoch-lab";
const RBAC = "rbac.authorization.k8s.io";

/** The least that the lab can work with, and nothing else. */
export function labRole(namespace: string) {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "Role",
    metadata: { name: NAME, namespace },
    rules: [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: LEASE_VERBS }],
  };
}

export type Subject =
  | { readonly kind: "User"; readonly name: string }
  | { readonly kind: "ServiceAccount"; readonly name: string; readonly namespace: string };

export function labRoleBinding(namespace: string, subject: Subject) {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "RoleBinding",
    metadata: { name: NAME, namespace },
    roleRef: { apiGroup: RBAC, kind: "Role", name: NAME },
    subjects: [subject.kind === "User" ? { apiGroup: RBAC, ...subject } : subject],
  };
}

/** The account that a pod of the lab runs under, for `--cluster=in-cluster`. */
export function labServiceAccount(namespace: string) {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: NAME, namespace } };
}

/** All that a namespace needs for the lab: account, Role and the binding between them. */
export function labAccess(namespace: string): readonly object[] {
  return [
    labServiceAccount(namespace),
    labRole(namespace),
    labRoleBinding(namespace, { kind: "ServiceAccount", name: NAME, namespace }),
  ];
}
