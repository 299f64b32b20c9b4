import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, describe, expect, it } from "vitest";
import { loadKubeconfig } from "./kubeconfig.ts";

const folder = mkdtempSync(join(tmpdir(), "epoch-lab-kubeconfigs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A kubeconfig that names everything after itself, and a user `shared` of its own. */
function write(name: string, current: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": current,
      clusters: [{ name, cluster: { server: `https://${name}:6443` } }],
      users: [
        { name, user: {} },
        { name: "shared", user: { token: `of-${name}` } },
      ],
      contexts: [{ name, context: { cluster: name, user: "shared", namespace: `in-${name}` } }],
    }),
  );
  return file;
}
const one = write("one", "");
const two = write("two", "two");
const three = write("three", "three");
const absent = join(folder, "absent");
const home = join(folder, "home");
mkdirSync(join(home, ".kube"), { recursive: true });
writeFileSync(
  join(home, ".kube", "config"),
  JSON.stringify({ clusters: [{ name: "h", cluster: { server: "https://h" } }] }),
);

function load(environment: Readonly<Record<string, string>>, file: string | null = null): KubeConfig {
  const config = new KubeConfig();
  loadKubeconfig(config, () => new KubeConfig(), file, environment);
  return config;
}

describe("kubeconfigs are found and joined as kubectl does:", () => {
  it("several files, of which some may be absent; the first to say a thing wins", () => {
    const config = load({ KUBECONFIG: [one, absent, two, three].join(delimiter) });
    expect(config.getContexts().map(({ name }) => name)).toEqual(["one", "two", "three"]);
    expect(config.getCurrentContext()).toBe("two");
    expect(config.getUser("shared")?.token).toBe("of-one");
  });

  it("a named file alone, whatever KUBECONFIG says", () => {
    expect(load({ KUBECONFIG: one }, two).getClusters()).toMatchObject([{ name: "two" }]);
  });

  it("the usual place when nothing is said", () => {
    expect(load({ HOME: home }).getClusters()).toMatchObject([{ name: "h" }]);
  });

  const refused: readonly { readonly why: string; readonly run: () => unknown; readonly says: RegExp }[] = [
    {
      why: "none anywhere",
      run: () => load({ HOME: folder }),
      says: /No kubeconfig was found.*KUBECONFIG is not set/,
    },
    {
      why: "none where KUBECONFIG says",
      run: () => load({ HOME: home, KUBECONFIG: absent }),
      says: /KUBECONFIG names .*absent, and there is no such file.*--kubeconfig/,
    },
    { why: "a folder", run: () => load({}, folder), says: /is a folder/ },
  ];
  for (const { why, run, says } of refused) it(`refuses ${why}`, () => expect(run).toThrow(says));
});
