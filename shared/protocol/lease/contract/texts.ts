// Rows about the text of a body: strictness, doubled fields, how a number is written, broken JSON, kinds
// and media types.
import {
  HELD,
  post,
  postText,
  put,
  refused,
  refusedAbsent,
  created,
  cannotUnmarshalDuration,
  type ContractRow,
  type Expectation,
} from "./row.ts";

const STRICT = { query: { fieldValidation: "Strict" } } as const;

export const STRICTNESS_ROWS: readonly ContractRow[] = [
  {
    why: "an unknown field is refused where the request asks to be strict",
    given: HELD,
    steps: [
      {
        send: put({ spec: { ttl: 5 } }, STRICT),
        expect: refused(400, "BadRequest", 'strict decoding error: unknown field "spec.ttl"'),
      },
    ],
  },
  {
    why: "all unknown fields are told, in the order of the body",
    steps: [
      {
        send: post({ metadata: { owner: "me" }, spec: { ttl: 5, jitter: 1 } }, STRICT),
        expect: refusedAbsent(
          400,
          "BadRequest",
          'strict decoding error: unknown field "metadata.owner", unknown field "spec.ttl", unknown field "spec.jitter"',
        ),
      },
    ],
  },
  {
    why: "a strict request with known fields alone is as any other",
    steps: [{ send: post(HELD, STRICT), expect: created(HELD.spec) }],
  },
  {
    why: "a refusal warns too",
    given: HELD,
    steps: [
      {
        send: put({ spec: { ttl: 5 } }),
        expect: {
          ...refused(422, "Invalid", "must be specified for an update"),
          warning: 'unknown field \\"spec.ttl\\"',
        },
      },
    ],
  },
  {
    why: "a request may ask for no warnings",
    steps: [
      { send: post({ spec: { ttl: 5 } }, { query: { fieldValidation: "Ignore" } }), expect: created({}) },
    ],
  },
  {
    why: "an unknown strictness is refused",
    steps: [
      {
        send: post({}, { query: { fieldValidation: "strict" } }),
        expect: refusedAbsent(422, "Invalid", 'fieldValidation: Unsupported value: "strict"'),
      },
    ],
  },
];

const text = (why: string, body: (name: string) => string, expect: Expectation): ContractRow => ({
  why,
  steps: [{ send: ({ name }) => ({ method: "POST", body: body(name) }), expect }],
});

/** A body with the text of its spec as it stands. */
const withSpec = (spec: string) => (name: string) =>
  `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"${name}"},"spec":${spec}}`;

export const TEXT_ROWS: readonly ContractRow[] = [
  text(
    "a duration written as 15.0 is no integer",
    withSpec('{"leaseDurationSeconds":15.0}'),
    cannotUnmarshalDuration("number 15.0"),
  ),
  text(
    "a duration written as 1e2 is no integer",
    withSpec('{"leaseDurationSeconds":1e2}'),
    cannotUnmarshalDuration("number 1e2"),
  ),
  text(
    "of a field that is given twice the last counts, with a warning",
    withSpec('{"holderIdentity":"node-1","holderIdentity":"node-2"}'),
    created({ holderIdentity: "node-2" }, { warning: 'duplicate field \\"spec.holderIdentity\\"' }),
  ),
  {
    why: "a field that is given twice is refused where the request asks to be strict",
    steps: [
      {
        send: ({ name }) => ({
          method: "POST",
          body: withSpec('{"holderIdentity":"node-1","holderIdentity":"node-2"}')(name),
          ...STRICT,
        }),
        expect: refusedAbsent(
          400,
          "BadRequest",
          'strict decoding error: duplicate field "spec.holderIdentity"',
        ),
      },
    ],
  },
  text(
    "half of a surrogate pair becomes the replacement character",
    withSpec('{"holderIdentity":"\\ud800"}'),
    created({ holderIdentity: "\ufffd" }),
  ),
  text(
    "a body without kind and version is taken for a Lease",
    (name) => `{"metadata":{"name":"${name}"}}`,
    created({}),
  ),
  text(
    "a body without a kind is taken for a Lease",
    (name) => `{"apiVersion":"coordination.k8s.io/v1","metadata":{"name":"${name}"}}`,
    created({}),
  ),
  text(
    "a body without a spec has an empty one",
    (name) => `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"${name}"}}`,
    created({}),
  ),
  text(
    "another kind is refused",
    (name) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"}}`,
    refusedAbsent(400, "BadRequest", 'Pod in version "v1" cannot be handled as a Lease'),
  ),
  text(
    "a kind that nobody knows is refused",
    (name) => `{"apiVersion":"coordination.k8s.io/v1","kind":"Leases","metadata":{"name":"${name}"}}`,
    refusedAbsent(
      400,
      "BadRequest",
      'Leases in version "v1" cannot be handled as a Lease: no kind "Leases" is registered for version "coordination.k8s.io/v1"',
    ),
  ),
  text(
    "a Lease of another group is refused",
    (name) => `{"apiVersion":"v1","kind":"Lease","metadata":{"name":"${name}"}}`,
    refusedAbsent(
      400,
      "BadRequest",
      'Lease in version "v1" cannot be handled as a Lease: no kind "Lease" is registered for version "v1"',
    ),
  ),
  text(
    "a Lease of another version is refused",
    (name) => `{"apiVersion":"coordination.k8s.io/v1beta1","kind":"Lease","metadata":{"name":"${name}"}}`,
    refusedAbsent(
      400,
      "BadRequest",
      "the API version in the data (coordination.k8s.io/v1beta1) does not match the expected API version (coordination.k8s.io/v1)",
    ),
  ),
  text(
    "a kind that is a number is refused",
    () => '{"kind":5}',
    refusedAbsent(
      400,
      "BadRequest",
      "json: cannot unmarshal number into Go struct field .kind of type string",
    ),
  ),
  text(
    "a version with two slashes is refused",
    () => '{"apiVersion":"a/b/c","kind":"Lease"}',
    refusedAbsent(400, "BadRequest", "unexpected GroupVersion string: a/b/c"),
  ),
  text(
    "null is an object without a name",
    () => "null",
    refusedAbsent(422, "Invalid", "metadata.name: Required value"),
  ),
  ...[
    ["{", "unexpected end of JSON input"],
    ["", "unexpected end of JSON input"],
    ["[]", "json: cannot unmarshal array into Go value of type struct"],
    ['"Lease"', "json: cannot unmarshal string into Go value of type struct"],
    ["{} x", "invalid character 'x' after top-level value"],
    ["kind: Lease", "invalid character 'k' looking for beginning of value"],
    ["{'kind': 1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"kind":"Lease",}', "invalid character '}' looking for beginning of object key string"],
    ['{"kind" "Lease"}', "invalid character '\"' after object key"],
    ['{"kind":"Lease" "a":1}', "invalid character '\"' after object key:value pair"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a":"\n"}', "invalid character '\\n' in string literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['{"a":-}', "invalid character '}' in numeric literal"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
    ["[1 2]", "invalid character '2' after array element"],
  ].map(([body = "", message = ""]): ContractRow => ({
    why: `the body ${JSON.stringify(body)} is no JSON object`,
    steps: [
      {
        send: postText(body),
        expect: refusedAbsent(400, "BadRequest", `couldn't get version/kind; json parse error: ${message}`),
      },
    ],
  })),
  {
    why: "a body of 3 MiB and more is too large",
    steps: [
      {
        send: postText(`"${"x".repeat(3 * 1024 * 1024)}"`),
        expect: refusedAbsent(413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"),
      },
    ],
  },
  {
    why: "an object beyond the limit of etcd is a fault of the server",
    only: {
      register: "server",
      because: "the limit is that of etcd's messages; the in-memory register has no etcd",
    },
    steps: [
      {
        send: post({ spec: { holderIdentity: "x".repeat(2_000_000) } }),
        expect: refused(500, null, "request is too large", "absent"),
      },
    ],
  },
  {
    why: "a body that is called text is refused",
    steps: [
      {
        send: post(HELD, { contentType: "text/plain" }),
        expect: refusedAbsent(
          415,
          "UnsupportedMediaType",
          "the body of the request was in an unknown format",
        ),
      },
    ],
  },
  {
    why: "a body in YAML is taken where it is called so",
    only: { register: "server", because: "the in-memory register reads JSON alone, and says so with 415" },
    steps: [
      {
        send: ({ name }) => ({
          method: "POST",
          contentType: "application/yaml",
          body: `apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: ${name}}\n`,
        }),
        expect: created({}),
      },
    ],
  },
  {
    why: "a body in YAML is refused with the one type that is read",
    only: { register: "memory", because: "the API server reads YAML too" },
    steps: [
      {
        send: postText("kind: Lease", { contentType: "application/yaml" }),
        expect: refusedAbsent(415, "UnsupportedMediaType", "accepted media types include: application/json"),
      },
    ],
  },
];
