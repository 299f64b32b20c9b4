// Kubernetes' MicroTime as text and as a number: `2026-12-01T08:00:00.000000Z` and whole microseconds since
// 1970.
//
// The text must have exactly six digits after the point. That is the API server's rule, and the one that
// writers of Leases break most: a JavaScript Date prints three digits, nanosecond clocks print nine, and
// both are answered 400 on every renewal. The calendar is worked out by hand, since a Date would cut the
// microseconds off.
import { assert, unreachable } from "../../base/assert.ts";
import { failed, ok, type Problem, type Result } from "../../base/result.ts";
import { quoteTime } from "./goText.ts";
import type { MicroTime } from "./lease.ts";

/** The layout of the Go client, which its parser names in every refusal. */
const LAYOUT = "2006-01-02T15:04:05.000000Z07:00";

/** Days of a 400-year cycle of the Gregorian calendar, and from 0000-03-01 to 1970-01-01. */
const CYCLE_DAYS = 146_097;
const EPOCH_DAYS = 719_468;
const DAY_SECONDS = 86_400;
const SECOND_MICROS = 1_000_000;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  month === 2
    ? isLeap(year)
      ? 29
      : 28
    : month === 4 || month === 6 || month === 9 || month === 11
      ? 30
      : 31;

/** Days since 1970-01-01. A year is counted from March, so that the leap day is its last. */
function daysOf(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(marchYear / 400);
  const yearOfCycle = marchYear - cycle * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfCycle =
    yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * CYCLE_DAYS + dayOfCycle - EPOCH_DAYS;
}

function dateOf(days: number): readonly [year: number, month: number, day: number] {
  const shifted = days + EPOCH_DAYS;
  const cycle = Math.floor(shifted / CYCLE_DAYS);
  const dayOfCycle = shifted - cycle * CYCLE_DAYS;
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1_460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return [yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day];
}

/** Why a text is no MicroTime. */
export type MicroTimeFault =
  /** `rest` was found where `wanted`, a piece of Go's layout, should have been. */
  | { readonly kind: "shape"; readonly wanted: string; readonly rest: string }
  | { readonly kind: "extra"; readonly rest: string }
  /** A part has the right shape and an impossible value, such as the 30th of February. */
  | { readonly kind: "range"; readonly part: string }
  /** The server would take it; a double cannot hold its microseconds. */
  | { readonly kind: "inexact" };

/**
 * Reads a MicroTime as the API server does, piece by piece in the order of Go's parser. It is lenient where
 * Go is: a comma for the point, one digit for the hour, an offset of up to 24:60.
 */
export function scanMicroTime(text: string): Result<MicroTime, MicroTimeFault> {
  let rest = text;
  const shape = (wanted: string): Result<never, MicroTimeFault> => failed({ kind: "shape", wanted, rest });
  const range = (part: string): Result<never, MicroTimeFault> => failed({ kind: "range", part });
  /** Takes digits off the front. */
  const take = (pattern: RegExp): number | null => {
    const digits = pattern.exec(rest)?.[0];
    if (digits === undefined) return null;
    rest = rest.slice(digits.length);
    return Number(digits);
  };
  const skip = (literal: string): boolean => {
    if (!rest.startsWith(literal)) return false;
    rest = rest.slice(literal.length);
    return true;
  };

  const year = take(/^\d{4}/);
  if (year === null) return shape("2006");
  if (!skip("-")) return shape("-");
  const month = take(/^\d\d/);
  if (month === null) return shape("01");
  if (month < 1 || month > 12) return range("month");
  if (!skip("-")) return shape("-");
  const day = take(/^\d\d/);
  if (day === null) return shape("02");
  if (!skip("T")) return shape("T");
  const hour = take(/^\d\d?/);
  if (hour === null) return shape("15");
  if (hour > 23) return range("hour");
  if (!skip(":")) return shape(":");
  const minute = take(/^\d\d/);
  if (minute === null) return shape("04");
  if (minute > 59) return range("minute");
  if (!skip(":")) return shape(":");
  const second = take(/^\d\d/);
  if (second === null) return shape("05");
  if (second > 59) return range("second");
  if (!/^[.,]\d{6}/.test(rest)) return shape(".000000");
  const micros = Number(rest.slice(1, 7));
  rest = rest.slice(7);
  let offsetSeconds = 0;
  if (!skip("Z")) {
    const offset = /^([+-])(\d\d):(\d\d)/.exec(rest);
    if (offset === null) return shape("Z07:00");
    const [hours, minutes] = [Number(offset[2]), Number(offset[3])];
    if (hours > 24) return range("time zone offset hour");
    if (minutes > 60) return range("time zone offset minute");
    offsetSeconds = (offset[1] === "-" ? -1 : 1) * (hours * 3_600 + minutes * 60);
    rest = rest.slice(6);
  }
  if (rest !== "") return failed({ kind: "extra", rest });
  if (day < 1 || day > daysInMonth(year, month)) return range("day");

  const seconds =
    daysOf(year, month, day) * DAY_SECONDS + hour * 3_600 + minute * 60 + second - offsetSeconds;
  const value = seconds * SECOND_MICROS + micros;
  return Number.isSafeInteger(value) ? ok(value) : failed({ kind: "inexact" });
}

/**
 * Reads a MicroTime: exactly six digits after the point, then `Z` or an offset `±hh:mm`.
 * Instants from mid 1684 to mid 2255 are held exactly; others are refused, so that no microsecond is made up.
 */
export function parseMicroTime(text: string): Result<MicroTime, Problem> {
  const scanned = scanMicroTime(text);
  return scanned.ok ? scanned : failed(problemOf(text, scanned.error));
}

const EXAMPLE = "as in 2026-12-01T08:00:00.000000Z";

function problemOf(text: string, fault: MicroTimeFault): Problem {
  const got = JSON.stringify(text);
  if (fault.kind === "inexact")
    return {
      path: "",
      expected: "an instant between the middle of 1684 and the middle of 2255",
      got,
      remedy: "Choose one whose microseconds this program can count exactly.",
    };
  if (fault.kind === "range")
    return {
      path: "",
      expected: `a ${fault.part} that exists`,
      got,
      remedy: `Correct the ${fault.part}.`,
    };
  const zone = { expected: `Z or an offset such as +02:00 at the end, ${EXAMPLE}`, got, path: "" };
  const digits = /[.,](\d*)/.exec(text)?.[1]?.length ?? 0;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) && digits !== 6)
    return {
      path: "",
      expected: `exactly six digits after the point, ${EXAMPLE}`,
      got: `${got}, which has ${digits === 0 ? "none" : digits}`,
      remedy:
        digits < 6 ? `Add ${"0".repeat(6 - digits)} to the fraction.` : "Cut the fraction after six digits.",
    };
  if (fault.kind === "extra" || fault.wanted === "Z07:00")
    return { ...zone, remedy: "Add the zone, with a colon in the offset, and nothing after it." };
  return {
    path: "",
    expected: `a date and a time of day, ${EXAMPLE}`,
    got,
    remedy: `Correct it from ${JSON.stringify(fault.rest)} on.`,
  };
}

/** The refusal in the words of the API server (Go's `time.ParseError`). */
export function goTimeError(text: string, fault: MicroTimeFault): string {
  const quoted = quoteTime(text);
  switch (fault.kind) {
    case "shape":
      return `parsing time ${quoted} as ${quoteTime(LAYOUT)}: cannot parse ${quoteTime(fault.rest)} as ${quoteTime(fault.wanted)}`;
    case "extra":
      return `parsing time ${quoted}: extra text: ${quoteTime(fault.rest)}`;
    case "range":
      return `parsing time ${quoted}: ${fault.part} out of range`;
    case "inexact":
      return `parsing time ${quoted}: this register holds instants from 1684 to 2255 only`;
    default:
      return unreachable(fault);
  }
}

/** The text that the API server sends: UTC, six digits. */
export function formatMicroTime(time: MicroTime): string {
  assert(Number.isSafeInteger(time), "a MicroTime to be a whole number of microseconds, held exactly");
  const seconds = Math.floor(time / SECOND_MICROS);
  const days = Math.floor(seconds / DAY_SECONDS);
  const [year, month, day] = dateOf(days);
  const ofDay = seconds - days * DAY_SECONDS;
  const digits = (value: number, width: number): string => String(value).padStart(width, "0");
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  const clock = `${digits(Math.floor(ofDay / 3_600), 2)}:${digits(Math.floor(ofDay / 60) % 60, 2)}:${digits(ofDay % 60, 2)}`;
  return `${date}T${clock}.${digits(time - seconds * SECOND_MICROS, 6)}Z`;
}

/** A MicroTime of a number of milliseconds since 1970. */
export const microTimeOfMs = (ms: number): MicroTime => ms * 1_000;
