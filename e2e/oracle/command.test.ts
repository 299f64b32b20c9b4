import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareOracle } from "./command.ts";

const here = import.meta.dirname;
const transcripts = join(here, "transcripts");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oracle-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(...args: readonly string[]): { readonly code: number; readonly said: string } {
  const said: string[] = [];
  const take = (text: string): void => {
    said.push(text);
  };
  const code = compareOracle(args, { say: take, complain: take });
  return { code, said: said.join("\n") };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const node = { ID: "a", Lease: 15, Deadline: 10, Retry: 2 };

interface Row {
  readonly why: string;
  readonly run: () => ReturnType<typeof run>;
  readonly code: number;
  readonly says: readonly string[];
}

const rows: readonly Row[] = [
  {
    why: "equal transcripts end well",
    run: () => run(join(here, "schedules", "losses.json"), transcripts),
    code: 0,
    says: ["cut-leader: equal", "11 equal, 0 different, 0 unreadable"],
  },
  {
    why: "several schedule files are taken together",
    run: () => run(join(here, "schedules", "losses.json"), join(here, "schedules", "late.json"), transcripts),
    code: 0,
    says: ["21 equal, 0 different, 0 unreadable"],
  },
  {
    why: "a difference is shown with what the machine expected and where",
    run: () => {
      const schedule = file("one.json", JSON.stringify([{ Name: "one", Nodes: [node], Until: 3 }]));
      file("one.jsonl", '{"t":0,"ev":"request","node":"a","verb":"update"}\n{"t":3,"ev":"end"}\n');
      return run(schedule, folder);
    },
    code: 1,
    says: [
      "one: first difference at line 1",
      'transcript: {"t":0,"ev":"request","node":"a","verb":"update"}',
      'machine:    {"t":0,"ev":"request","node":"a","verb":"get"}',
      '2  {"t":3,"ev":"end"}',
    ],
  },
  {
    why: "field names are read in any case, as Go does",
    run: () => {
      const any = [{ NAME: "any", nodes: [{ id: "a", LEASE: 1 }], faults: null, until: 1 }];
      const schedule = file("any.json", JSON.stringify(any));
      file(
        "any.jsonl",
        '{"t":0,"ev":"config-error","node":"a","error":"renewDeadline must be greater than retryPeriod*JitterFactor"}\n{"t":1,"ev":"end"}\n',
      );
      return run(schedule, folder);
    },
    code: 0,
    says: ["any: equal, 2 lines"],
  },
  {
    why: "no arguments",
    run: () => run(),
    code: 2,
    says: ["Usage: npm run oracle -- SCHEDULES.json"],
  },
  {
    why: "a folder that does not exist",
    run: () => run(join(here, "schedules", "losses.json"), join(folder, "nowhere")),
    code: 2,
    says: ["nowhere: expected a folder of transcripts, got none"],
  },
  {
    why: "a schedule file that does not exist",
    run: () => run(join(folder, "no.json"), transcripts),
    code: 1,
    says: ["no.json: expected a file, got none of that name"],
  },
  {
    why: "malformed JSON, with its place",
    run: () => run(file("torn.json", '[\n  {"Name": "x",}\n]'), transcripts),
    code: 1,
    says: ["torn.json: line 2, column 16: expected JSON"],
  },
  {
    why: "a field that no schedule has",
    run: () => run(file("field.json", JSON.stringify([{ Name: "x", Nodes: [{ Lese: 15 }] }])), transcripts),
    code: 1,
    says: ["[0].Nodes[0].Lese: expected one of the fields ID, Start, Lease,", 'got a field "Lese"'],
  },
  {
    why: "a value of the wrong type",
    run: () => run(file("type.json", JSON.stringify([{ Name: "x", Until: "30" }])), transcripts),
    code: 1,
    says: ['[0].Until: expected a number, got "30"'],
  },
  {
    why: "a schedule without a name",
    run: () => run(file("name.json", JSON.stringify([{ Until: 3 }])), transcripts),
    code: 1,
    says: ["[0].Name: expected a file name"],
  },
  {
    why: "a transcript that is missing",
    run: () => run(file("missing.json", JSON.stringify([{ Name: "never-recorded" }])), transcripts),
    code: 1,
    says: ["never-recorded.jsonl: expected a file", "0 equal, 0 different, 1 unreadable"],
  },
  {
    why: "a transcript whose last line is torn",
    run: () => {
      const schedule = file("half.json", JSON.stringify([{ Name: "half" }]));
      file("half.jsonl", '{"t":0,"ev":"end"}\n{"t":0,"e');
      return run(schedule, folder);
    },
    code: 1,
    says: ["half.jsonl: line 2, column", "expected JSON"],
  },
  {
    why: "a transcript with an unknown event",
    run: () => {
      const schedule = file("event.json", JSON.stringify([{ Name: "event" }]));
      file("event.jsonl", '{"t":0,"ev":"crash","node":"a"}\n');
      return run(schedule, folder);
    },
    code: 1,
    says: ["event.jsonl: line 1: expected an `ev` of request", 'got "crash"'],
  },
];

describe("npm run oracle", () => {
  for (const row of rows)
    it(row.why, () => {
      const { code, said } = row.run();
      for (const part of row.says) expect(said).toContain(part);
      expect(code).toBe(row.code);
    });
});
