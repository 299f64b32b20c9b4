import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareCamel, compareLines, parseTranscript } from "./compare.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";
import type { Line } from "./simulate.ts";

const HERE = import.meta.dirname;
const SCHEDULES = join(HERE, "schedules");

/** The plain cases, by name, so that none of them can go missing unseen. */
const PLAIN = ["win-and-work", "lose-with-drain", "drain-too-long", "create-fails-3", "queue-full"];

for (const version of ["0.33.0", "0.64.0"]) {
  describe(`camel-master ${version}`, () => {
    const report = compareCamel(SCHEDULES, join(HERE, "transcripts", version));

    it("has a transcript of every schedule, and nothing is left out or unreadable", () => {
      expect(report.leftOut).toEqual([]);
      expect(report.unreadable).toEqual([]);
      const names = report.comparisons.map(({ transcript }) => basename(transcript, ".consumer.jsonl"));
      expect(names).toEqual(expect.arrayContaining(PLAIN));
      expect(names).toHaveLength(63);
    });

    for (const { transcript, difference } of report.comparisons)
      it(transcript, () => expect(difference).toBeNull());
  });
}

/** A change that the comparison must notice. */
interface Change {
  readonly why: string;
  readonly name: string;
  readonly change: (lines: readonly Line[]) => readonly Line[];
  readonly t: number;
  readonly expected: RegExp;
  readonly got: RegExp;
}

const only =
  (event: string, index: number, change: (line: Line) => readonly Line[]) => (lines: readonly Line[]) => {
    let seen = -1;
    return lines.flatMap((line) => (line.event === event && (seen += 1) === index ? change(line) : [line]));
  };

const changes: readonly Change[] = [
  {
    why: "a line that came a millisecond later",
    name: "win-and-work",
    change: only("received", 2, (line) => [{ ...line, t: line.t + 1 }]),
    t: 790,
    expected: /"event":"sent"/,
    got: /"event":"received"/,
  },
  {
    why: "another epoch",
    name: "lose-with-drain",
    change: only("received", 0, (line) => [{ ...line, epoch: "8" }]),
    t: 510,
    expected: /"epoch":"8"/,
    got: /"epoch":"7"/,
  },
  {
    why: "a line that is missing",
    name: "create-fails-3",
    change: only("create", 2, () => []),
    t: 800,
    expected: /"event":"log"/,
    got: /"event":"create"/,
  },
  {
    why: "a line too many",
    name: "queue-full",
    change: only("sent", 599, (line) => [line, line]),
    t: 2650,
    expected: /"event":"sent"/,
    got: /"event":"(received|processed)"/,
  },
  {
    why: "another log level",
    name: "drain-too-long",
    change: only("log", 2, (line) => [{ ...line, level: "info" }]),
    t: 3237,
    expected: /"level":"info","msg":"master delegate shutdown/,
    got: /"level":"warn","msg":"master delegate shutdown/,
  },
  {
    why: "a transcript that ends too early",
    name: "win-and-work",
    change: (lines) => lines.slice(0, -1),
    t: 4000,
    expected: /^null$/,
    got: /"event":"end"/,
  },
];

describe("the comparison notices", () => {
  for (const row of changes) {
    it(row.why, () => {
      const lines = parseTranscript(
        readFileSync(join(HERE, "transcripts", "0.64.0", `${row.name}.consumer.jsonl`), "utf8"),
      );
      if (!lines.ok) throw new Error("the transcript is readable");
      const { difference } = compareLines(scheduleOf(row.name), row.change(lines.value), "camel-hardened");
      expect(difference?.t).toBe(row.t);
      expect(String(difference?.expected)).toMatch(row.expected);
      expect(String(difference?.got)).toMatch(row.got);
    });
  }

  it("that one generation is not the other", () => {
    const lines = parseTranscript(
      readFileSync(join(HERE, "transcripts", "0.64.0", "budget-create.consumer.jsonl"), "utf8"),
    );
    if (!lines.ok) throw new Error("the transcript is readable");
    expect(compareLines(scheduleOf("budget-create"), lines.value, "camel-first").difference).not.toBeNull();
  });
});

describe("what cannot be read", () => {
  it("a transcript that is no JSON says which line", () => {
    expect(parseTranscript('{"t":0,"event":"end"}\n{"t":')).toMatchObject({
      ok: false,
      error: [{ path: "line 2", got: '{"t":' }],
    });
  });

  it("a schedule with an unknown key says which", () => {
    expect(parseSchedule('{"modes":["consumer"],"end":5,"delegate":[{"emit_cuont":3}]}')).toMatchObject({
      ok: false,
      error: [{ path: "delegate[0].emit_cuont" }],
    });
  });
});

function scheduleOf(name: string): Schedule {
  const parsed = parseSchedule(readFileSync(join(SCHEDULES, `${name}.json`), "utf8"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}
