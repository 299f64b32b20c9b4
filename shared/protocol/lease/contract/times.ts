// Rows about times: exactly six digits after the point, any value, and the places where Go's parser is lenient.
import { post, refused, type ContractRow } from "./row.ts";

interface TimeRow {
  readonly why: string;
  readonly renewTime: unknown;
  /** How it comes back; null where it is refused. */
  readonly stored: string | null;
  /** Part of the refusal. */
  readonly message?: string;
  readonly only?: ContractRow["only"];
}

const asLayout = (rest: string, wanted: string): string =>
  `as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(wanted)}`;

const NOT_EXACT = {
  register: "server",
  because:
    "the in-memory register counts whole microseconds in a double, which is exact from 1684 to 2255 and refuses the rest",
} as const;

const TIMES: readonly TimeRow[] = [
  {
    why: "six digits and Z come back as they were",
    renewTime: "2026-12-01T08:00:00.123456Z",
    stored: "2026-12-01T08:00:00.123456Z",
  },
  {
    why: "an offset comes back as UTC",
    renewTime: "2026-12-01T02:00:00.123456+02:00",
    stored: "2026-12-01T00:00:00.123456Z",
  },
  {
    why: "an offset may cross midnight and the year",
    renewTime: "2026-12-31T23:30:00.000000-01:00",
    stored: "2027-01-01T00:30:00.000000Z",
  },
  {
    why: "an offset of -00:00 is UTC",
    renewTime: "2026-12-01T08:00:00.123456-00:00",
    stored: "2026-12-01T08:00:00.123456Z",
  },
  { why: "a time of null is absent", renewTime: null, stored: "" },
  {
    why: "a time in the past is not judged",
    renewTime: "1969-12-31T23:59:59.999999Z",
    stored: "1969-12-31T23:59:59.999999Z",
  },
  {
    why: "a time in the far future is not judged",
    renewTime: "2200-01-01T00:00:00.000001Z",
    stored: "2200-01-01T00:00:00.000001Z",
  },
  {
    why: "the 29th of February of a leap year exists",
    renewTime: "2024-02-29T00:00:00.000000Z",
    stored: "2024-02-29T00:00:00.000000Z",
  },
  {
    why: "the 29th of February of another year does not",
    renewTime: "2023-02-29T00:00:00.000000Z",
    stored: null,
    message: "day out of range",
  },
  {
    why: "the 29th of February of 1900 does not",
    renewTime: "1900-02-29T00:00:00.000000Z",
    stored: null,
    message: "day out of range",
  },
  {
    why: "no digits after the point are refused",
    renewTime: "2026-12-01T08:00:00Z",
    stored: null,
    message: asLayout("Z", ".000000"),
  },
  {
    why: "three digits, as a JavaScript Date prints, are refused",
    renewTime: "2026-12-01T08:00:00.123Z",
    stored: null,
    message: asLayout(".123Z", ".000000"),
  },
  {
    why: "nine digits, as a nanosecond clock prints, are refused",
    renewTime: "2020-02-28T20:11:41.636526400Z",
    stored: null,
    message: asLayout("400Z", "Z07:00"),
  },
  {
    why: "five digits are refused",
    renewTime: "2026-12-01T08:00:00.12345Z",
    stored: null,
    message: asLayout(".12345Z", ".000000"),
  },
  {
    why: "a time without a zone is refused",
    renewTime: "2026-12-01T08:00:00.123456",
    stored: null,
    message: asLayout("", "Z07:00"),
  },
  {
    why: "an offset without a colon is refused",
    renewTime: "2026-12-01T08:00:00.123456+0200",
    stored: null,
    message: asLayout("+0200", "Z07:00"),
  },
  {
    why: "a zone by name is refused",
    renewTime: "2026-12-01T08:00:00.123456UTC",
    stored: null,
    message: asLayout("UTC", "Z07:00"),
  },
  {
    why: "text after the zone is refused",
    renewTime: "2026-12-01T08:00:00.123456Zulu",
    stored: null,
    message: 'extra text: "ulu"',
  },
  {
    why: "a space for the T is refused",
    renewTime: "2026-12-01 08:00:00.123456Z",
    stored: null,
    message: asLayout(" 08:00:00.123456Z", "T"),
  },
  {
    why: "lower case is refused",
    renewTime: "2026-12-01t08:00:00.123456z",
    stored: null,
    message: asLayout("t08:00:00.123456z", "T"),
  },
  {
    why: "a day of one digit is refused",
    renewTime: "2026-12-1T08:00:00.123456Z",
    stored: null,
    message: asLayout("1T08:00:00.123456Z", "02"),
  },
  {
    why: "an hour of one digit is taken",
    renewTime: "2026-12-01T8:00:00.123456Z",
    stored: "2026-12-01T08:00:00.123456Z",
  },
  {
    why: "a comma for the point is taken",
    renewTime: "2026-12-01T08:00:00,123456Z",
    stored: "2026-12-01T08:00:00.123456Z",
  },
  {
    why: "an offset of 24:00 is taken",
    renewTime: "2026-12-01T08:00:00.123456+24:00",
    stored: "2026-11-30T08:00:00.123456Z",
  },
  {
    why: "an offset of 60 minutes is taken",
    renewTime: "2026-12-01T08:00:00.123456+05:60",
    stored: "2026-12-01T02:00:00.123456Z",
  },
  {
    why: "an offset of 25 hours is refused",
    renewTime: "2026-12-01T08:00:00.123456+25:00",
    stored: null,
    message: "time zone offset hour out of range",
  },
  {
    why: "an offset of 61 minutes is refused",
    renewTime: "2026-12-01T08:00:00.123456+05:61",
    stored: null,
    message: "time zone offset minute out of range",
  },
  {
    why: "month 13 does not exist",
    renewTime: "2026-13-01T08:00:00.123456Z",
    stored: null,
    message: "month out of range",
  },
  {
    why: "month 0 does not exist",
    renewTime: "2026-00-01T08:00:00.123456Z",
    stored: null,
    message: "month out of range",
  },
  {
    why: "day 0 does not exist",
    renewTime: "2026-12-00T08:00:00.123456Z",
    stored: null,
    message: "day out of range",
  },
  {
    why: "the 31st of April does not exist",
    renewTime: "2026-04-31T08:00:00.123456Z",
    stored: null,
    message: "day out of range",
  },
  {
    why: "hour 24 does not exist",
    renewTime: "2026-12-01T24:00:00.123456Z",
    stored: null,
    message: "hour out of range",
  },
  {
    why: "minute 60 does not exist",
    renewTime: "2026-12-01T08:60:00.123456Z",
    stored: null,
    message: "minute out of range",
  },
  {
    why: "a leap second is refused",
    renewTime: "2016-12-31T23:59:60.000000Z",
    stored: null,
    message: "second out of range",
  },
  {
    why: "a year of five digits is refused",
    renewTime: "10000-01-01T00:00:00.000000Z",
    stored: null,
    message: asLayout("0-01-01T00:00:00.000000Z", "-"),
  },
  { why: "an empty time is refused", renewTime: "", stored: null, message: asLayout("", "2006") },
  {
    why: "digits of another script are refused",
    renewTime: "2026-12-01T08:00:00.12345\uff16Z",
    stored: null,
    message: 'cannot parse ".12345\\xef\\xbc\\x96Z" as ".000000"',
  },
  {
    why: "a time that is a number is refused",
    renewTime: 1_764_576_000,
    stored: null,
    message: "json: cannot unmarshal number into Go struct field LeaseSpec.spec.renewTime of type string",
  },
  {
    why: "a time that is an object is refused",
    renewTime: {},
    stored: null,
    message: "json: cannot unmarshal object into Go struct field LeaseSpec.spec.renewTime of type string",
  },
  {
    why: "the last microsecond of year 9999 is taken",
    renewTime: "9999-12-31T23:59:59.999999Z",
    stored: "9999-12-31T23:59:59.999999Z",
    only: NOT_EXACT,
  },
  {
    why: "a time beyond the exact microseconds of a double is refused",
    renewTime: "9999-12-31T23:59:59.999999Z",
    stored: null,
    message: "this register holds instants from 1684 to 2255 only",
    only: { register: "memory", because: "the API server keeps any instant of a year of four digits" },
  },
];

const ROWS: readonly ContractRow[] = TIMES.map(({ why, renewTime, stored, message, only }) => ({
  why,
  ...(only === undefined ? {} : { only }),
  steps: [
    {
      send: post({ spec: { renewTime } }),
      expect:
        stored === null
          ? refused(400, "BadRequest", message ?? "", "absent")
          : { code: 201, fate: "appeared" as const, spec: stored === "" ? {} : { renewTime: stored } },
    },
  ],
}));

export const TIME_ROWS: readonly ContractRow[] = [
  ...ROWS,
  {
    why: "the zero time of Go comes back as null",
    only: NOT_EXACT,
    steps: [
      {
        send: post({ spec: { renewTime: "0001-01-01T00:00:00.000000Z" } }),
        expect: { code: 201, fate: "appeared", spec: { renewTime: null } },
      },
    ],
  },
  {
    why: "acquireTime follows the same rule",
    steps: [
      {
        send: post({ spec: { acquireTime: "2026-12-01T08:00:00.123Z" } }),
        expect: refused(400, "BadRequest", asLayout(".123Z", ".000000"), "absent"),
      },
    ],
  },
];
