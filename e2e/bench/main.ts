// `npm run bench`: prints one JSON object of figures, each measured in this run on this machine. Ratios are safer than
// absolute times. `npm run bench -- NAME …` runs only the named parts.
import { benchBrowser } from "./browser.ts";
import { benchBridge, benchReplay } from "./engine.ts";
import { benchFirstLoad } from "./size.ts";

const parts: Readonly<Record<string, () => unknown>> = {
  replay: benchReplay,
  bridge: benchBridge,
  firstLoad: benchFirstLoad,
  browser: benchBrowser,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(
    `Expected some of ${Object.keys(parts).join(", ")}, got ${unknown.join(", ")}. Correct the names, or give none to run all.`,
  );
  process.exit(2);
}
const results: Record<string, unknown> = { node: process.version };
for (const [name, run] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) results[name] = await run();
console.log(JSON.stringify(results, null, 2));
