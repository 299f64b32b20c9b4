import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sentence, type Problem } from "../../shared/base/result.ts";
import { connect } from "./connect.ts";
import { ClusterFailure, connectionProblem } from "./failure.ts";
import { readClusterSettings, type ClusterFlags, type ClusterSettings } from "./settings.ts";

const none: ClusterFlags = {
  cluster: undefined,
  kubeconfig: undefined,
  context: undefined,
  namespace: undefined,
};

const flags: readonly {
  readonly why: string;
  readonly flags: Partial<ClusterFlags>;
  readonly settings: ClusterSettings | null;
  readonly says?: RegExp;
}[] = [
  { why: "nothing asked for: no cluster", flags: {}, settings: null },
  {
    why: "a kubeconfig with what kubectl would take",
    flags: { cluster: "kubeconfig" },
    settings: { kind: "kubeconfig", kubeconfig: null, context: null, namespace: null },
  },
  {
    why: "file, context and namespace",
    flags: { cluster: "kubeconfig", kubeconfig: "k", context: "c", namespace: "n" },
    settings: { kind: "kubeconfig", kubeconfig: "k", context: "c", namespace: "n" },
  },
  {
    why: "the pod's service account",
    flags: { cluster: "in-cluster" },
    settings: { kind: "in-cluster", namespace: null },
  },
  {
    why: "a throwaway server",
    flags: { cluster: "throwaway" },
    settings: { kind: "throwaway", namespace: null },
  },
  {
    why: "an unknown kind",
    flags: { cluster: "kind" },
    settings: null,
    says: /one of kubeconfig, in-cluster, throwaway/,
  },
  {
    why: "a context without a cluster",
    flags: { context: "c" },
    settings: null,
    says: /add --cluster=kubeconfig/,
  },
  {
    why: "a kubeconfig beside in-cluster",
    flags: { cluster: "in-cluster", kubeconfig: "k" },
    settings: null,
    says: /only beside --cluster=kubeconfig/,
  },
  {
    why: "an impossible namespace",
    flags: { cluster: "kubeconfig", namespace: "Not_One" },
    settings: null,
    says: /DNS-1123 label/,
  },
];

describe("the cluster's flags:", () => {
  for (const row of flags)
    it(row.why, () => {
      const problems: Problem[] = [];
      expect(readClusterSettings({ ...none, ...row.flags }, problems)).toEqual(row.settings);
      if (row.says === undefined) expect(problems).toEqual([]);
      else expect(problems.map(sentence).join(" ")).toMatch(row.says);
    });
});

const folder = mkdtempSync(join(tmpdir(), "epoch-lab-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = "s3cret-t0ken";
function kubeconfig(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
const good = (server = "https://127.0.0.1:1", user = `    token: ${SECRET}`): string => `apiVersion: v1
kind: Config
current-context: one
contexts:
- name: one
  context: { cluster: c, user: u }
- name: broken
  context: { cluster: nowhere, user: u }
clusters:
- name: c
  cluster:
    server: "${server}"
users:
- name: u
  user:
${user}
`;

const files: readonly {
  readonly why: string;
  readonly file: string;
  readonly context?: string;
  readonly says: RegExp;
}[] = [
  { why: "a file that is not there", file: join(folder, "absent"), says: /does not exist.*--kubeconfig/ },
  { why: "a file that is no YAML", file: kubeconfig("bad", "{{{"), says: /cannot be parsed/ },
  {
    why: "a file with nothing in it",
    file: kubeconfig("empty", "apiVersion: v1\nkind: Config\n"),
    says: /names no cluster/,
  },
  {
    why: "an unknown context, with those there are",
    file: kubeconfig("known", good()),
    context: "two",
    says: /no context "two".*Choose one of: one, broken/,
  },
  {
    why: "a context whose cluster is missing",
    file: kubeconfig("half", good()),
    context: "broken",
    says: /names a cluster that the kubeconfig does not have/,
  },
  { why: "a server that is no URL", file: kubeconfig("url", good("not a url")), says: /no URL/ },
];

describe("a kubeconfig is refused in words:", () => {
  for (const row of files)
    it(row.why, async () => {
      const connecting = connect({
        kind: "kubeconfig",
        kubeconfig: row.file,
        context: row.context ?? null,
        namespace: null,
      });
      await expect(connecting).rejects.toThrow(row.says);
      await expect(connecting).rejects.toBeInstanceOf(ClusterFailure);
      await connecting.catch((error: unknown) => {
        expect(JSON.stringify(error) + String(error)).not.toContain(SECRET);
      });
    });

  it("a credential plugin that is not installed", async () => {
    const exec = `    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: no-such-plugin-anywhere
      interactiveMode: Never`;
    const connection = await connect({
      kind: "kubeconfig",
      kubeconfig: kubeconfig("exec", good("https://127.0.0.1:1", exec)),
      context: null,
      namespace: null,
    });
    await expect(connection.call({ method: "GET", path: "/version", timeoutMs: 2000 })).rejects.toThrow(
      /credential plugin that is not installed/,
    );
  });

  it("a server that nothing listens at", async () => {
    const connection = await connect({
      kind: "kubeconfig",
      kubeconfig: kubeconfig("refused", good()),
      context: null,
      namespace: null,
    });
    expect(connection.identity).toEqual({
      context: "one",
      server: "https://127.0.0.1:1",
      namespace: "default",
    });
    await expect(connection.call({ method: "GET", path: "/version", timeoutMs: 2000 })).rejects.toThrow(
      /connection refused/,
    );
  });
});

describe("a broken connection is told by its code alone:", () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["ECONNREFUSED", /connection refused/],
    ["ENOTFOUND", /cannot be resolved/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /certificate is not trusted/],
    ["ECONNRESET", /broken off/],
    ["ETIMEDOUT", /cannot be reached/],
    ["EWHATEVER", /EWHATEVER/],
  ];
  for (const [code, says] of rows)
    it(code, () => {
      expect(connectionProblem(Object.assign(new Error(SECRET), { code })).cause).toMatch(says);
      expect(JSON.stringify(connectionProblem(Object.assign(new Error(SECRET), { code })))).not.toContain(
        SECRET,
      );
    });
});
