// `master:<lock>:<delegate-uri>`: which delegate runs only while which lock is held.
import { failed, ok, type Problem, type Result } from "../../base/result.ts";

/** A component URI: `scheme:path?key=value&key=value`. */
export interface ComponentUri {
  /** The whole URI as written. */
  readonly text: string;
  readonly scheme: string;
  /** Everything between the first colon and the first question mark, not decoded. */
  readonly path: string;
  /** In the order written; values decoded, `RAW(...)` taken literally. */
  readonly query: Readonly<Record<string, string>>;
}

export interface MasterUri {
  readonly text: string;
  /** The lock as written: neither trimmed nor decoded. */
  readonly lock: string;
  readonly delegate: ComponentUri;
}

/** What a URI is refused for, beside the sentence: `code` is for callers that tell the cases apart. */
export interface UriProblem extends Problem {
  readonly code:
    | "no-scheme-separator"
    | "bad-scheme"
    | "bad-query"
    | "not-master"
    | "unknown-component"
    | "nested-master"
    | "bad-lock";
}

export interface MasterUriRules {
  /** Schemes that a delegate may have; null: any. Default null. */
  readonly components?: readonly string[] | null;
  /**
   * Refuse at parsing what the crates accept and then fail on for ever: a lock that cannot name a Lease, and a master
   * inside a master. Default true.
   */
  readonly strict?: boolean;
}

const SHAPE = "master:<lockname>:<delegate-uri>";
const LOCK = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Splits a component URI. Only the first `:` and the first `?` count; every pair of the query needs a value of its own. */
export function parseComponentUri(text: string): Result<ComponentUri, UriProblem> {
  const colon = text.indexOf(":");
  if (colon < 0) {
    return refuse("no-scheme-separator", {
      expected: "a scheme, a colon and a path, such as timer:tick",
      got: quote(text),
      remedy: "Put the component's name and a colon in front.",
    });
  }
  const scheme = text.slice(0, colon);
  if (!/^[A-Za-z0-9-]+$/.test(scheme)) {
    return refuse("bad-scheme", {
      expected: "a scheme of letters, digits and dashes before the first colon",
      got: `${quote(scheme)} in ${quote(text)}`,
      remedy: "Name a component, such as timer.",
    });
  }
  const mark = text.indexOf("?", colon);
  const path = mark < 0 ? text.slice(colon + 1) : text.slice(colon + 1, mark);
  const query = mark < 0 ? ok({}) : parseQuery(text.slice(mark + 1));
  return query.ok ? ok({ text, scheme, path, query: query.value }) : query;
}

/**
 * Parses a master URI in the order in which a route checks it when it starts: the whole URI's form and query, the split
 * into three pieces, the delegate's form, the delegate's component.
 */
export function parseMasterUri(text: string, rules: MasterUriRules = {}): Result<MasterUri, UriProblem> {
  const { components = null, strict = true } = rules;
  const whole = parseComponentUri(text);
  if (!whole.ok) return whole;
  const second = text.indexOf(":", whole.value.scheme.length + 1);
  const lock = second < 0 ? whole.value.path : text.slice(whole.value.scheme.length + 1, second);
  const rest = second < 0 ? "" : text.slice(second + 1);
  if (whole.value.scheme !== "master" || lock === "" || rest === "") {
    return refuse("not-master", {
      expected: SHAPE,
      got: `${quote(text)}, ${missing(whole.value.scheme, lock)}`,
      remedy: "Write all three parts, as in master:orders:timer:tick?period=1000.",
    });
  }
  const delegate = parseComponentUri(rest);
  if (!delegate.ok) return failed({ ...delegate.error, path: "delegate" });
  const { scheme } = delegate.value;
  if (strict && scheme === "master") {
    return refuse("nested-master", {
      expected: "a delegate that is not itself a master",
      got: quote(rest),
      remedy: "Guard one lock per route: the inner delegate could never be created.",
    });
  }
  if (components !== null && !components.includes(scheme)) {
    return refuse("unknown-component", {
      expected: `a delegate component that is registered (${components.join(", ")})`,
      got: quote(scheme),
      remedy: "Correct the delegate's scheme, or register the component.",
    });
  }
  if (strict && (lock.length > 253 || !LOCK.test(lock))) {
    return refuse("bad-lock", {
      expected: "a lock that can name a Lease: lower-case letters, digits, dashes and dots",
      got: quote(lock),
      remedy: "Rename the lock, as in master:orders:timer:tick.",
    });
  }
  return ok({ text, lock, delegate: delegate.value });
}

function missing(scheme: string, lock: string): string {
  if (scheme !== "master") return "whose scheme is not master";
  return lock === "" ? "which has no lock" : "which has no delegate";
}

function parseQuery(text: string): Result<Readonly<Record<string, string>>, UriProblem> {
  const query: Record<string, string> = {};
  for (const pair of splitPairs(text)) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    if (equals < 0) {
      return refuse("bad-query", {
        expected: "a value for every query parameter",
        got: `${quote(pair)} without one`,
        remedy: `Write ${pair}=value, or leave it out.`,
      });
    }
    const key = pair.slice(0, equals);
    if (Object.hasOwn(query, key)) {
      return refuse("bad-query", {
        expected: "each query parameter once",
        got: `${quote(key)} twice`,
        remedy: "Keep one of the two.",
      });
    }
    const value = pair.slice(equals + 1);
    const raw = value.startsWith("RAW(") && value.endsWith(")") ? value.slice(4, -1) : decode(value);
    if (raw === null) {
      return refuse("bad-query", {
        expected: "two hexadecimal digits after every %, forming valid UTF-8",
        got: quote(value),
        remedy: "Write %25 for a percent sign, or put the value into RAW(...).",
      });
    }
    query[key] = raw;
  }
  return ok(query);
}

/** Splits at `&`, but not inside `RAW(...)`. */
function splitPairs(text: string): readonly string[] {
  const pairs: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.startsWith("=RAW(", index)) {
      const end = text.indexOf(")", index);
      if (end > 0) index = end;
    } else if (text[index] === "&") {
      pairs.push(text.slice(start, index));
      start = index + 1;
    }
  }
  pairs.push(text.slice(start));
  return pairs;
}

/** The decoded text, or null where it is not valid percent-encoding. */
function decode(text: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return null;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

const quote = (text: string): string => `"${text}"`;

function refuse(
  code: UriProblem["code"],
  words: Pick<Problem, "expected" | "got" | "remedy">,
): Result<never, UriProblem> {
  return failed({ code, path: "", ...words });
}
