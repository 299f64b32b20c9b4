import { describe, expect, it } from "vitest";
import { TERM_ANNOTATION, type Lease } from "../lease/lease.ts";
import {
  compareTokens,
  followsRenewal,
  isToken,
  laterToken,
  leaseTerm,
  nextToken,
  takeToken,
  TOKEN_SOURCES,
  type TokenSource,
} from "./token.ts";

const lease = (annotations: Record<string, string>, transitions?: number): Lease => ({
  name: "orders",
  uid: "uid-1",
  resourceVersion: "42",
  annotations,
  labels: {},
  spec: transitions === undefined ? {} : { leaseTransitions: transitions },
});

const taken: readonly {
  readonly why: string;
  readonly source: TokenSource;
  readonly lease: Lease | null;
  readonly token: string;
}[] = [
  {
    why: "the annotation's term",
    source: "lease-annotation",
    lease: lease({ [TERM_ANNOTATION]: "7" }),
    token: "7",
  },
  { why: "nothing where the annotation is missing", source: "lease-annotation", lease: lease({}), token: "" },
  {
    why: "nothing where the annotation is no number",
    source: "lease-annotation",
    lease: lease({ [TERM_ANNOTATION]: "x7" }),
    token: "",
  },
  { why: "the count of transitions", source: "lease-transitions", lease: lease({}, 3), token: "3" },
  { why: "0 where the count is absent", source: "lease-transitions", lease: lease({}), token: "0" },
  { why: "the resourceVersion", source: "resource-version", lease: lease({}), token: "42" },
  { why: "how often this process won", source: "process-counter", lease: lease({}), token: "2" },
  { why: "the winner's wall clock", source: "wall-clock", lease: lease({}), token: "1000" },
  { why: "always 1", source: "constant", lease: lease({}), token: "1" },
  { why: "1 without a Lease", source: "lease-annotation", lease: null, token: "1" },
];

describe("a token is taken as", () => {
  for (const row of taken)
    it(`${row.source}: ${row.why}`, () => {
      expect(takeToken(row.source, { lease: row.lease, wins: 2, wallMs: 1000 })).toBe(row.token);
    });

  it("only a resourceVersion follows renewals", () => {
    expect(TOKEN_SOURCES.filter(followsRenewal)).toEqual(["resource-version"]);
  });
});

const usable: readonly (readonly [string, boolean])[] = [
  ["1", true],
  ["18446744073709551616", true],
  ["0", false],
  ["", false],
  ["01", false],
  ["-1", false],
  ["+1", false],
  [" 1", false],
  ["1.5", false],
  ["1e3", false],
];

describe("a usable token", () => {
  for (const [text, is] of usable)
    it(`"${text}" is ${is ? "one" : "none"}`, () => {
      expect(isToken(text)).toBe(is);
      expect(leaseTerm({ annotations: { [TERM_ANNOTATION]: text } })).toBe(is ? text : null);
    });
});

const ordered: readonly (readonly [string, string, -1 | 0 | 1])[] = [
  ["9", "10", -1],
  ["10", "9", 1],
  ["7", "7", 0],
  ["18446744073709551615", "18446744073709551616", -1],
  ["99999999999999999999", "100000000000000000000", -1],
];

describe("tokens compare as integers of any size", () => {
  for (const [left, right, order] of ordered)
    it(`${left} against ${right} is ${order}`, () => {
      expect(compareTokens(left, right)).toBe(order);
      expect(laterToken(left, right)).toBe(order < 0 ? right : left);
    });
  it("one more than the largest unsigned 64-bit number", () => {
    expect(nextToken("18446744073709551615")).toBe("18446744073709551616");
    expect(nextToken("9")).toBe("10");
  });
});
