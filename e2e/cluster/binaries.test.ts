import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  cacheFolderOf,
  locateBinaries,
  obtainBinaries,
  whyNoServer,
  type Environment,
  type Located,
} from "./binaries.ts";

const versions = { kubernetes: "v1.36.3", etcd: "v3.6.16", go: "1.26.0" };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "epoch-lab-test-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a file that may be run, or one that may not. */
function program(path: string, mode = 0o755): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

/** An environment in which nothing is to be found: its own home, and a PATH without Go. */
function bare(more: Environment = {}): Environment {
  return { HOME: join(root, "home"), PATH: join(root, "bin"), ...more };
}

/** A `go` that answers `go env` with these lines. */
function fakeGo(version: string, toolchain: string): void {
  const path = program(join(root, "bin", "go"));
  writeFileSync(path, `#!/bin/sh\necho ${version}\necho ${toolchain}\n`);
}

interface Row {
  readonly why: string;
  /** Prepares files, and returns the environment to look in. */
  readonly arrange: () => Environment;
  readonly expected: () => Partial<Located> & { readonly kind: Located["kind"] };
}

const rows: readonly Row[] = [
  {
    why: "takes both programs from KUBEBUILDER_ASSETS",
    arrange: () => {
      program(join(root, "assets", "kube-apiserver"));
      program(join(root, "assets", "etcd"));
      return bare({ KUBEBUILDER_ASSETS: join(root, "assets") });
    },
    expected: () => ({
      kind: "found",
      source: "environment",
      binaries: {
        kubeApiserver: join(root, "assets", "kube-apiserver"),
        etcd: join(root, "assets", "etcd"),
      },
    }),
  },
  {
    why: "takes a TEST_ASSET_ variable before KUBEBUILDER_ASSETS, each for its own program",
    arrange: () => {
      program(join(root, "assets", "kube-apiserver"));
      program(join(root, "assets", "etcd"));
      return bare({
        KUBEBUILDER_ASSETS: join(root, "assets"),
        TEST_ASSET_ETCD: program(join(root, "my-etcd")),
      });
    },
    expected: () => ({
      kind: "found",
      source: "environment",
      binaries: { kubeApiserver: join(root, "assets", "kube-apiserver"), etcd: join(root, "my-etcd") },
    }),
  },
  {
    why: "takes both from TEST_ASSET_ variables alone",
    arrange: () =>
      bare({
        TEST_ASSET_KUBE_APISERVER: program(join(root, "my-server")),
        TEST_ASSET_ETCD: program(join(root, "my-etcd")),
      }),
    expected: () => ({
      kind: "found",
      source: "environment",
      binaries: { kubeApiserver: join(root, "my-server"), etcd: join(root, "my-etcd") },
    }),
  },
  {
    why: "takes an empty variable for an unset one",
    arrange: () => {
      const environment = bare({ KUBEBUILDER_ASSETS: "", TEST_ASSET_ETCD: "" });
      const folder = cacheFolderOf(versions, environment);
      program(join(folder, "kube-apiserver"));
      program(join(folder, "etcd"));
      return environment;
    },
    expected: () => ({ kind: "found", source: "cache" }),
  },
  {
    why: "takes the environment before the cache",
    arrange: () => {
      program(join(root, "assets", "kube-apiserver"));
      program(join(root, "assets", "etcd"));
      const environment = bare({ KUBEBUILDER_ASSETS: join(root, "assets") });
      program(join(cacheFolderOf(versions, environment), "kube-apiserver"));
      program(join(cacheFolderOf(versions, environment), "etcd"));
      return environment;
    },
    expected: () => ({ kind: "found", source: "environment" }),
  },
  {
    why: "takes the cache before a build",
    arrange: () => {
      fakeGo("go1.26.8", "local");
      const environment = bare();
      program(join(cacheFolderOf(versions, environment), "kube-apiserver"));
      program(join(cacheFolderOf(versions, environment), "etcd"));
      return environment;
    },
    expected: () => ({ kind: "found", source: "cache" }),
  },
  {
    why: "does not take half a cache for a whole one",
    arrange: () => {
      fakeGo("go1.26.8", "local");
      program(join(cacheFolderOf(versions, bare()), "kube-apiserver"));
      return bare();
    },
    expected: () => ({ kind: "buildable", go: "1.26.8", cacheFolder: cacheFolderOf(versions, bare()) }),
  },
  {
    why: "does not look further when KUBEBUILDER_ASSETS lacks a program",
    arrange: () => {
      fakeGo("go1.26.8", "local");
      program(join(root, "assets", "etcd"));
      return bare({ KUBEBUILDER_ASSETS: join(root, "assets") });
    },
    expected: () => ({ kind: "missing", code: "assets-incomplete" }),
  },
  {
    why: "does not take a file that cannot be run for a program",
    arrange: () => {
      program(join(root, "assets", "kube-apiserver"), 0o644);
      program(join(root, "assets", "etcd"));
      return bare({ KUBEBUILDER_ASSETS: join(root, "assets") });
    },
    expected: () => ({ kind: "missing", code: "assets-incomplete" }),
  },
  {
    why: "does not take a folder for a program",
    arrange: () => {
      mkdirSync(join(root, "assets", "kube-apiserver"), { recursive: true });
      program(join(root, "assets", "etcd"));
      return bare({ KUBEBUILDER_ASSETS: join(root, "assets") });
    },
    expected: () => ({ kind: "missing", code: "assets-incomplete" }),
  },
  {
    why: "wants both when only TEST_ASSET_ETCD is set",
    arrange: () => bare({ TEST_ASSET_ETCD: program(join(root, "my-etcd")) }),
    expected: () => ({ kind: "missing", code: "assets-incomplete" }),
  },
  {
    why: "offers no build with a Go that is too old and may not fetch another",
    arrange: () => {
      fakeGo("go1.25.1", "local");
      return bare();
    },
    expected: () => ({ kind: "missing", code: "no-server" }),
  },
  {
    why: "finds nothing where there is nothing",
    arrange: () => bare(),
    expected: () => ({ kind: "missing", code: "no-server" }),
  },
];

describe("locateBinaries", () => {
  for (const row of rows) {
    it(row.why, async () => {
      const environment = row.arrange();
      expect(await locateBinaries({ environment, versions })).toMatchObject(row.expected());
    });
  }
});

describe("the sentence without a server", () => {
  it("names every way out", async () => {
    const sentence = await whyNoServer({ environment: bare(), versions });
    for (const part of [
      "KUBEBUILDER_ASSETS",
      "Go 1.26.0",
      "--cluster=kubeconfig",
      "in memory",
      "there is no Go",
    ]) {
      expect(sentence).toContain(part);
    }
  });

  it("names the variable and the path that lead nowhere", async () => {
    const folder = join(root, "assets");
    const sentence = await whyNoServer({ environment: bare({ KUBEBUILDER_ASSETS: folder }), versions });
    expect(sentence).toContain(`KUBEBUILDER_ASSETS leads to ${join(folder, "kube-apiserver")}`);
    expect(sentence).toContain(`KUBEBUILDER_ASSETS leads to ${join(folder, "etcd")}`);
  });

  it("names the variable that is not set", async () => {
    const environment = bare({ TEST_ASSET_ETCD: program(join(root, "my-etcd")) });
    expect(await whyNoServer({ environment, versions })).toContain("TEST_ASSET_KUBE_APISERVER is not set");
  });

  it("is what obtainBinaries throws", async () => {
    await expect(obtainBinaries({ environment: bare(), versions })).rejects.toMatchObject({
      code: "no-server",
      message: await whyNoServer({ environment: bare(), versions }),
    });
  });

  it("is absent where a build is possible", async () => {
    fakeGo("go1.26.8", "local");
    expect(await whyNoServer({ environment: bare(), versions })).toBeUndefined();
  });
});

describe("cacheFolderOf", () => {
  const places = [
    {
      why: "follows XDG_CACHE_HOME",
      environment: { XDG_CACHE_HOME: "/var/cache/me", HOME: "/home/me" },
      expected: "/var/cache/me/epoch-lab/cluster/",
    },
    {
      why: "ignores a relative XDG_CACHE_HOME, as its specification asks",
      environment: { XDG_CACHE_HOME: "cache", HOME: "/home/me" },
      expected: "/home/me/.cache/epoch-lab/cluster/",
    },
  ] as const;
  for (const row of places) {
    it(row.why, () => expect(cacheFolderOf(versions, row.environment)).toContain(row.expected));
  }

  it("differs for other versions", () => {
    expect(cacheFolderOf(versions)).not.toBe(cacheFolderOf({ ...versions, etcd: "v3.6.17" }));
    expect(cacheFolderOf(versions)).not.toBe(cacheFolderOf({ ...versions, kubernetes: "v1.36.4" }));
  });
});
