// The lab's program: `npm start` and `npm run dev`.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { throwawayFrom } from "./cluster/throwaway.ts";
import { start } from "./start.ts";

/** Root of the project: this file runs as server/main.ts and, bundled, as dist/server/main.js. */
function projectRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return (
    [join(here, ".."), join(here, "..", "..")].find((folder) => existsSync(join(folder, "package.json"))) ??
    here
  );
}

const root = projectRoot();
await start({
  root,
  webFolder: join(root, "dist", "web"),
  flags: process.argv.slice(2),
  startThrowaway: throwawayFrom(root),
});
