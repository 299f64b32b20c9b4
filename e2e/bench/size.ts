// What the first screen costs to load: the scripts that index.html asks for and their static imports, gzipped.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = fileURLToPath(new URL("../../dist/web/", import.meta.url));

export function benchFirstLoad() {
  if (!existsSync(join(web, "index.html"))) return { error: "There is no build. Run npm run build first." };
  const page = readFileSync(join(web, "index.html"), "utf8");
  const wanted = [...page.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)].map((match) => match[1] ?? "");
  const seen = new Set<string>();
  let bytes = 0;
  let gzipBytes = 0;
  while (wanted.length > 0) {
    const name = (wanted.pop() ?? "").replace(/^\.?\//, "");
    if (seen.has(name) || !existsSync(join(web, name))) continue;
    seen.add(name);
    const script = readFileSync(join(web, name));
    bytes += script.length;
    gzipBytes += gzipSync(script).length;
    // Static imports only: `import("…")` is loaded when it is wanted.
    for (const match of script
      .toString("utf8")
      .matchAll(/(?:^|[;}\s])import(?:[\w*{}\s,$]+from)?"\.\/([^"]+\.js)"/g))
      wanted.push(`assets/${match[1] ?? ""}`);
  }
  return { files: [...seen].toSorted(), kB: Math.round(bytes / 1000), gzipKB: Math.round(gzipBytes / 1000) };
}
