import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { binariesIn } from "./binaries.ts";
import { buildBinaries, type BuildOptions } from "./build.ts";
import type { Progress } from "./progress.ts";

/** A `go` that behaves like the real one towards its caller; FAKE_GO says what goes wrong. */
const FAKE_GO = `#!/bin/sh
echo "$1 $FAKE_GO" >> "$FAKE_GO_LOG"
case "$1" in
  list)
    echo "go: downloading k8s.io/api v0.36.3" >&2
    printf 'a/one\\na/two\\na/three\\na/four\\n'
    ;;
  build)
    printf 'a/one\\na/two\\n# a/two\\n\\tremark\\n' >&2
    case "$FAKE_GO" in
      breaks) echo "half" > "$4/kube-apiserver"; echo "a/two/x.go:1:1: does not compile" >&2; exit 1 ;;
      hangs) echo "half" > "$4/kube-apiserver"; exec sleep 60 ;;
      *) printf 'a/three\\na/four\\n' >&2 ;;
    esac
    version=v1.36.3
    test "$FAKE_GO" = other-version && version=v1.0.0
    printf '#!/bin/sh\\necho Kubernetes %s\\n' "$version" > "$4/kube-apiserver"
    printf '#!/bin/sh\\necho etcd Version: 3.6.16\\n' > "$4/server"
    chmod 755 "$4/kube-apiserver" "$4/server"
    ;;
esac
`;

let root: string;
let cacheFolder: string;
let progress: Progress[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "epoch-lab-test-"));
  cacheFolder = join(root, "cache", "some-version");
  progress = [];
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "go"), FAKE_GO);
  chmodSync(join(root, "bin", "go"), 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

function build(mode: string, more: Partial<BuildOptions> = {}): Promise<void> {
  return buildBinaries({
    clusterFolder: root,
    versions: { kubernetes: "v1.36.3", etcd: "v3.6.16", go: "1.26.0" },
    cacheFolder,
    environment: {
      PATH: `${join(root, "bin")}:/usr/bin:/bin`,
      FAKE_GO: mode,
      FAKE_GO_LOG: join(root, "go.log"),
    },
    isComplete: (folder) => binariesIn(folder) !== undefined,
    report: (it) => progress.push(it),
    ...more,
  });
}

/** What lies beside the cache folder and in it. */
function leftInCache(): readonly string[] {
  return readdirSync(dirname(cacheFolder), { recursive: true, encoding: "utf8" }).toSorted();
}

describe("buildBinaries", () => {
  it("leaves the two programs in the cache folder, and nothing else", async () => {
    await build("works");
    expect(leftInCache()).toEqual(["some-version", "some-version/etcd", "some-version/kube-apiserver"]);
    expect(binariesIn(cacheFolder)).toBeDefined();
  });

  it("reports each package that Go names, out of those that were stale", async () => {
    await build("works");
    const built = progress.flatMap((it) => (it.kind === "build" ? [`${it.built}/${it.total}`] : []));
    expect(built).toEqual(["0/4", "1/4", "2/4", "3/4", "4/4"]);
  });

  const failures = [
    {
      why: "takes no broken build for a good one, and repeats what Go said",
      mode: "breaks",
      said: "does not compile",
    },
    {
      why: "takes no build that calls itself another version",
      mode: "other-version",
      said: 'to say v1.36.3, got "Kubernetes v1.0.0"',
    },
  ] as const;
  for (const row of failures) {
    it(row.why, async () => {
      await expect(build(row.mode)).rejects.toMatchObject({
        code: "build-failed",
        message: expect.stringContaining(row.said),
      });
      expect(leftInCache()).toEqual([]);
    });
  }

  it("builds after a build that failed", async () => {
    await expect(build("breaks")).rejects.toThrow();
    await build("works");
    expect(binariesIn(cacheFolder)).toBeDefined();
  });

  it("leaves nothing of a build that was given up", async () => {
    const over = new AbortController();
    const report = (it: Progress): void => {
      if (it.kind === "build" && it.built === 2) over.abort();
    };
    await expect(build("hangs", { signal: over.signal, report })).rejects.toMatchObject({ code: "aborted" });
    expect(leftInCache()).toEqual([]);
  });

  it("starts no build that was given up before", async () => {
    await expect(build("works", { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    expect(existsSync(join(root, "go.log"))).toBe(false);
  });

  it("replaces half a cache", async () => {
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(join(cacheFolder, "etcd"), "half");
    await build("works");
    expect(binariesIn(cacheFolder)).toBeDefined();
  });

  it("removes what a killed build left", async () => {
    mkdirSync(`${cacheFolder}.building-abc/go-work`, { recursive: true });
    await build("works");
    expect(existsSync(`${cacheFolder}.building-abc`)).toBe(false);
  });

  it("waits for another process that builds, and then does not build", async () => {
    mkdirSync(dirname(cacheFolder), { recursive: true });
    writeFileSync(`${cacheFolder}.lock`, "");
    const waiting = build("works");
    await vi.waitFor(() => expect(progress).toHaveLength(1));
    expect(progress[0]).toMatchObject({ kind: "note", text: expect.stringContaining("waiting for it") });
    mkdirSync(cacheFolder);
    for (const name of ["etcd", "kube-apiserver"]) {
      writeFileSync(join(cacheFolder, name), "");
      chmodSync(join(cacheFolder, name), 0o755);
    }
    rmSync(`${cacheFolder}.lock`);
    await waiting;
    expect(existsSync(join(root, "go.log"))).toBe(false);
  });

  it("does not wait for a lock that nobody has touched for long", async () => {
    mkdirSync(dirname(cacheFolder), { recursive: true });
    writeFileSync(`${cacheFolder}.lock`, "");
    utimesSync(`${cacheFolder}.lock`, 1, 1);
    await build("works");
    expect(leftInCache()).toEqual(["some-version", "some-version/etcd", "some-version/kube-apiserver"]);
  });

  it("lets two at once build it only once", async () => {
    await Promise.all([build("works"), build("works")]);
    expect(progress.filter((it) => it.kind === "build" && it.built === 0)).toHaveLength(1);
  });
});
