// Builds the lab: web/ by Vite to dist/web, the server and its commands by esbuild to dist/server.
// With --when-needed nothing is built if the build is newer than every source.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";
import { build as buildWeb } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const stamp = join(root, "dist/server/main.js");
const page = join(root, "dist/web/index.html");
const SOURCES = ["web", "server", "shared", "public", "package-lock.json", "vite.config.ts"];

function newest(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
}

function isCurrent(): boolean {
  if (!existsSync(stamp) || !existsSync(page)) return false;
  const built = Math.min(statSync(stamp).mtimeMs, statSync(page).mtimeMs);
  return SOURCES.every((source) => newest(join(root, source)) <= built);
}

const commands = existsSync(join(root, "server/command"))
  ? readdirSync(join(root, "server/command")).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    )
  : [];

if (process.argv.includes("--when-needed") && isCurrent()) process.exit(0);
rmSync(join(root, "dist"), { recursive: true, force: true });
await buildWeb({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });
await bundle({
  entryPoints: [
    { in: join(root, "server/main.ts"), out: "main" },
    ...commands.map((name) => ({
      in: join(root, "server/command", name),
      out: `command/${basename(name, ".ts")}`,
    })),
  ],
  outdir: join(root, "dist/server"),
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "warning",
});
