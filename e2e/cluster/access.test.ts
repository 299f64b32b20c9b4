import { describe, expect, it } from "vitest";
import { labRole } from "../../server/cluster/access.ts";
import { checkNamespace, createUsers, renderTokenFile } from "./access.ts";

const names = [
  { why: "takes a plain name", name: "epoch-lab", taken: true },
  { why: "takes a digit at both ends", name: "0-a-9", taken: true },
  { why: "takes 63 characters", name: "a".repeat(63), taken: true },
  { why: "refuses 64 characters", name: "a".repeat(64), taken: false },
  { why: "refuses capitals", name: "Epoch", taken: false },
  { why: "refuses a hyphen at the end", name: "epoch-", taken: false },
  { why: "refuses a dot, which other names may have", name: "epoch.lab", taken: false },
  { why: "refuses a path", name: "../kube-system", taken: false },
  { why: "refuses a second line", name: "epoch\nlab", taken: false },
  { why: "refuses nothing", name: "", taken: false },
] as const;

describe("checkNamespace", () => {
  for (const row of names) {
    it(row.why, () => {
      const check = (): void => checkNamespace(row.name);
      if (row.taken) expect(check).not.toThrow();
      else expect(check).toThrow(`got ${JSON.stringify(row.name)}`);
    });
  }
});

describe("the users", () => {
  it("have different tokens, and others the next time", () => {
    const tokens = [createUsers(), createUsers()].flatMap((users) =>
      Object.values(users).map((it) => it.token),
    );
    expect(new Set(tokens).size).toBe(6);
  });

  it("are written as --token-auth-file takes them, and only the administrator is in a group", () => {
    const users = createUsers();
    expect(renderTokenFile(users)).toBe(
      `${users.administrator.token},administrator,administrator,"system:masters"\n` +
        `${users.lab.token},lab,lab,""\n` +
        `${users.stranger.token},stranger,stranger,""\n`,
    );
  });
});

describe("labRole", () => {
  it("is about the Leases of its namespace, and knows no unconditional change", () => {
    expect(labRole("mine")).toMatchObject({
      metadata: { namespace: "mine" },
      rules: [
        {
          apiGroups: ["coordination.k8s.io"],
          resources: ["leases"],
          verbs: ["get", "list", "watch", "create", "update", "delete"],
        },
      ],
    });
  });
});
