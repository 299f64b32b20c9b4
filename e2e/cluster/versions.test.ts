import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findClusterFolder, parseVersions, readVersions } from "./versions.ts";

describe("parseVersions", () => {
  it("reads what a go.mod requires", () => {
    const goMod = `module x\n\ngo 1.26.0\n\nrequire (\n\tgo.etcd.io/etcd/server/v3 v3.6.16\n\tk8s.io/kubernetes v1.36.3\n)\n`;
    expect(parseVersions(goMod)).toEqual({ kubernetes: "v1.36.3", etcd: "v3.6.16", go: "1.26.0" });
  });

  const rows = [
    {
      why: "does not take a replace for a requirement",
      goMod: "go 1.26.0\nk8s.io/kubernetes => ../k v1.0.0\n",
      missing: "k8s.io/kubernetes",
    },
    { why: "names what is missing", goMod: "go 1.26.0\n\tk8s.io/kubernetes v1.36.3\n", missing: "etcd" },
    {
      why: "wants Go's own version",
      goMod: "\tgo.etcd.io/etcd/server/v3 v3.6.16\n\tk8s.io/kubernetes v1.36.3\n",
      missing: "version of Go",
    },
  ] as const;
  for (const row of rows) {
    it(row.why, () => expect(() => parseVersions(row.goMod)).toThrow(row.missing));
  }

  it("reads this project's own go.mod", () => {
    const versions = readVersions();
    expect(versions.kubernetes).toMatch(/^v1\.\d+\.\d+$/);
    expect(versions.etcd).toMatch(/^v3\.\d+\.\d+$/);
  });
});

describe("findClusterFolder", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "epoch-lab-test-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("finds e2e/cluster from a bundle elsewhere in the project", () => {
    const cluster = join(root, "e2e", "cluster");
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, "guardian.mjs"), "");
    const bundle = join(root, "dist", "server");
    mkdirSync(bundle, { recursive: true });
    expect(findClusterFolder(bundle)).toBe(cluster);
  });

  it("says what is missing where there is no project around", () => {
    expect(() => findClusterFolder(root)).toThrow(/--cluster=kubeconfig/);
  });
});
