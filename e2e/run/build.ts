// Builds the lab: web/ by Vite to dist/web, the server and its commands by esbuild to dist/server.
// With --when-needed nothing is built if dist/ was built from exactly the sources that are here now.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";
import { build as buildWeb } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = [
  "web",
  "server",
  "shared",
  "public",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
  "e2e/run/build.ts",
];
/** Written last, so that a build that was cut off is never taken for a whole one. */
const fingerprintFile = join(root, "dist/fingerprint");

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/** Every file under a path that can change the build, in a stable order. */
function filesUnder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => !isTest(file) && statSync(file).isFile())
    .toSorted();
}

/** By content, not by time: a checkout, a copy or a deleted file must not fool it. */
function fingerprint(): string {
  const hash = createHash("sha256").update(process.version);
  for (const source of SOURCES)
    for (const file of filesUnder(join(root, source)))
      hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/**
 * What is started by its own path: every `main.ts` of the server (a worker process has one in its own folder) and every
 * command. Each is bundled whole and lands at the same place under dist/server as its source has under server, so that
 * a path relative to `import.meta.url` of an entry means the same in both.
 */
function entryPoints(): string[] {
  const server = join(root, "server");
  return filesUnder(server).filter((file) => {
    const [folder, name, ...deeper] = relative(server, file).split(sep);
    if (folder === "bench" || !file.endsWith(".ts")) return false;
    return (
      file.endsWith(`${sep}main.ts`) || (folder === "command" && name !== undefined && deeper.length === 0)
    );
  });
}

const wanted = fingerprint();
const isCurrent = existsSync(fingerprintFile) && readFileSync(fingerprintFile, "utf8") === wanted;

if (!(process.argv.includes("--when-needed") && isCurrent)) {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await buildWeb({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });
  await bundle({
    entryPoints: entryPoints(),
    outbase: join(root, "server"),
    outdir: join(root, "dist/server"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  writeFileSync(fingerprintFile, wanted);
}
