import { describe, expect, it } from "vitest";
import { parseArguments } from "./commandLine.ts";

const rows = [
  { why: "starts without a word", args: [], expected: { kind: "start", namespace: "epoch-lab" } },
  { why: "takes a namespace", args: ["--namespace", "mine"], expected: { kind: "start", namespace: "mine" } },
  {
    why: "takes a namespace after =",
    args: ["--namespace=mine"],
    expected: { kind: "start", namespace: "mine" },
  },
  { why: "prepares", args: ["--prepare"], expected: { kind: "prepare" } },
  { why: "prints the Role", args: ["--role", "mine"], expected: { kind: "role", namespace: "mine" } },
  { why: "prints the Role after =", args: ["--role=mine"], expected: { kind: "role", namespace: "mine" } },
  {
    why: "wants a name after --role",
    args: ["--role"],
    expected: { kind: "refused", problem: "Expected a name after --role, got nothing." },
  },
  { why: "helps, whatever else is said", args: ["--prepare", "--help"], expected: { kind: "help" } },
  {
    why: "wants a name after --namespace",
    args: ["--namespace"],
    expected: { kind: "refused", problem: expect.stringContaining("Expected a name") },
  },
  {
    why: "takes an empty name for none",
    args: ["--namespace="],
    expected: { kind: "refused", problem: expect.stringContaining("Expected a name") },
  },
  {
    why: "refuses what it does not know",
    args: ["--port=1"],
    expected: {
      kind: "refused",
      problem: 'Expected --namespace, --prepare, --role or --help, got "--port=1".',
    },
  },
  {
    why: "refuses a value where none is meant",
    args: ["--prepare=now"],
    expected: {
      kind: "refused",
      problem: 'Expected --namespace, --prepare, --role or --help, got "--prepare=now".',
    },
  },
] as const;

describe("parseArguments", () => {
  for (const row of rows) it(row.why, () => expect(parseArguments(row.args)).toEqual(row.expected));
});
