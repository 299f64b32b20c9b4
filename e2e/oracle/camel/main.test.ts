import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareOracle } from "../command.ts";

const HERE = import.meta.dirname;
const SCHEDULES = join(HERE, "schedules");
const TRANSCRIPTS = join(HERE, "transcripts");
const folder = mkdtempSync(join(tmpdir(), "oracle-camel-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: readonly string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = compareOracle(["camel", ...args], {
    say: (text) => said.push(text),
    complain: (text) => complained.push(text),
  });
  return { code, said: said.join("\n"), complained: complained.join("\n") };
}

describe("npm run oracle -- camel", () => {
  it("says that every transcript of both generations is equal", () => {
    const { code, said } = run(SCHEDULES, TRANSCRIPTS);
    expect(said).toMatch(/^126 equal, 0 different, 0 unreadable, 0 not compared$/m);
    expect(code).toBe(0);
  });

  it("shows the first difference of a transcript, and fails", () => {
    const name = "win-and-work.consumer.jsonl";
    const text = readFileSync(join(TRANSCRIPTS, "0.64.0", name), "utf8");
    const changed = join(folder, name);
    writeFileSync(changed, text.replace('"epoch":"7","id":3', '"epoch":"6","id":3'));
    const { code, said } = run(join(SCHEDULES, "win-and-work.json"), changed);
    expect(said).toContain("first difference to camel-hardened at 790 ms");
    expect(said).toMatch(/transcript: .*"epoch":"6"/);
    expect(said).toMatch(/machine: +.*"epoch":"7"/);
    expect(code).toBe(1);
  });

  it("names what it does not compare", () => {
    copyFileSync(
      join(TRANSCRIPTS, "0.64.0", "win-and-work.consumer.jsonl"),
      join(folder, "win-and-work.route.jsonl"),
    );
    const { said } = run(join(SCHEDULES, "win-and-work.json"), folder);
    expect(said).toContain("win-and-work.route.jsonl: not compared; mode route");
  });

  const wrong: readonly { readonly why: string; readonly args: readonly string[]; readonly says: RegExp }[] =
    [
      {
        why: "too few arguments",
        args: [SCHEDULES],
        says: /^Expected schedules and transcripts, got 1 argument/,
      },
      { why: "a path with nothing", args: [SCHEDULES, join(folder, "none")], says: /got nothing at .*none/ },
    ];
  for (const row of wrong)
    it(`refuses ${row.why}`, () => {
      const { code, complained } = run(...row.args);
      expect(complained).toMatch(row.says);
      expect(code).toBe(2);
    });
});
