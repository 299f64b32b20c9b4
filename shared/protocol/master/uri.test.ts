import { describe, expect, it } from "vitest";
import { sentence } from "../../base/result.ts";
import { parseComponentUri, parseMasterUri, type MasterUriRules, type UriProblem } from "./uri.ts";

interface Accepted {
  readonly why: string;
  readonly uri: string;
  readonly rules?: MasterUriRules;
  readonly lock: string;
  readonly scheme: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

const accepted: readonly Accepted[] = [
  {
    why: "splits lock, delegate scheme, path and query",
    uri: "master:l:timer:tick?period=250",
    lock: "l",
    scheme: "timer",
    path: "tick",
    query: { period: "250" },
  },
  {
    why: "leaves colons after the second to the delegate",
    uri: "master:l:kafka:a?brokers=h:9092",
    lock: "l",
    scheme: "kafka",
    path: "a",
    query: { brokers: "h:9092" },
  },
  {
    why: "takes a bad option of the delegate: only creating the delegate can refuse it",
    uri: "master:l:timer:tick?period=0",
    lock: "l",
    scheme: "timer",
    path: "tick",
    query: { period: "0" },
  },
  {
    why: "takes slashes literally into the lock when it is not strict, as the crates do",
    uri: "master://l:timer:t",
    rules: { strict: false },
    lock: "//l",
    scheme: "timer",
    path: "t",
    query: {},
  },
  {
    why: "takes a master inside a master when it is not strict, as the crates do",
    uri: "master:a:master:b:timer:t",
    rules: { strict: false },
    lock: "a",
    scheme: "master",
    path: "b:timer:t",
    query: {},
  },
  {
    why: "keeps what RAW() protects, and decodes the rest",
    uri: "master:l:timer:t?name=RAW(a&b=%)&other=x%20y",
    lock: "l",
    scheme: "timer",
    path: "t",
    query: { name: "a&b=%", other: "x y" },
  },
  {
    why: "accepts a registered component",
    uri: "master:l:timer:t",
    rules: { components: ["timer"] },
    lock: "l",
    scheme: "timer",
    path: "t",
    query: {},
  },
];

describe("parseMasterUri accepts", () => {
  for (const row of accepted) {
    it(row.why, () => {
      const parsed = parseMasterUri(row.uri, row.rules);
      expect(parsed).toMatchObject({ ok: true });
      if (!parsed.ok) return;
      expect(parsed.value.lock).toBe(row.lock);
      const { scheme, path, query } = parsed.value.delegate;
      expect({ scheme, path, query }).toEqual({ scheme: row.scheme, path: row.path, query: row.query });
    });
  }
});

interface Refused {
  readonly why: string;
  readonly uri: string;
  readonly rules?: MasterUriRules;
  readonly code: UriProblem["code"];
  readonly says: RegExp;
}

const refused: readonly Refused[] = [
  { why: "an empty lock", uri: "master::timer:tick", code: "not-master", says: /which has no lock/ },
  { why: "an empty delegate", uri: "master:l:", code: "not-master", says: /which has no delegate/ },
  { why: "no delegate at all", uri: "master:l", code: "not-master", says: /which has no delegate/ },
  { why: "another scheme", uri: "Master:l:timer:t", code: "not-master", says: /scheme is not master/ },
  {
    why: "a delegate without a colon",
    uri: "master:l:timer",
    code: "no-scheme-separator",
    says: /^delegate: /,
  },
  { why: "a delegate without a scheme", uri: "master:l::x", code: "bad-scheme", says: /^delegate: .*""/ },
  { why: "no colon at all", uri: "master", code: "no-scheme-separator", says: /a scheme, a colon/ },
  {
    why: "a component that is not registered",
    uri: "master:l:nope:x",
    rules: { components: ["timer", "fake"] },
    code: "unknown-component",
    says: /\(timer, fake\), got "nope"/,
  },
  {
    why: "a query parameter without a value, before anything else is looked at",
    uri: "master:l:timer:tick?period",
    code: "bad-query",
    says: /"period" without one/,
  },
  { why: "a parameter twice", uri: "master:l:timer:t?a=1&a=2", code: "bad-query", says: /"a" twice/ },
  { why: "a broken escape", uri: "master:l:timer:t?a=%4", code: "bad-query", says: /two hexadecimal digits/ },
  { why: "escapes that are no text", uri: "master:l:timer:t?a=%FF", code: "bad-query", says: /valid UTF-8/ },
  {
    why: "a master inside a master",
    uri: "master:a:master:b:timer:t",
    code: "nested-master",
    says: /one lock per route/,
  },
  {
    why: "a lock that cannot name a Lease",
    uri: "master:My_Lock:timer:t",
    code: "bad-lock",
    says: /"My_Lock"/,
  },
];

describe("parseMasterUri refuses", () => {
  for (const row of refused) {
    it(row.why, () => {
      const parsed = parseMasterUri(row.uri, row.rules);
      expect(parsed).toMatchObject({ ok: false, error: { code: row.code } });
      if (!parsed.ok) expect(sentence(parsed.error)).toMatch(row.says);
    });
  }
});

describe("parseComponentUri", () => {
  it("splits at the first question mark only", () => {
    expect(parseComponentUri("direct:a?b=c?d")).toMatchObject({
      ok: true,
      value: { scheme: "direct", path: "a", query: { b: "c?d" } },
    });
  });
});
