// Rows about bodies: what does not decode (400), what decodes and is invalid (422), and what is taken
// though it looks wrong.
import {
  post,
  refusedAbsent,
  created,
  cannotUnmarshal,
  cannotUnmarshalDuration,
  type ContractRow,
  type Draft,
  type Expectation,
} from "./row.ts";

interface BodyRow {
  readonly why: string;
  readonly draft: Draft;
  readonly expect: Expectation;
  readonly name?: string;
}

const specRow = (why: string, spec: unknown, expect: Expectation): BodyRow => ({
  why,
  draft: { spec },
  expect,
});

const SPECS: readonly BodyRow[] = [
  specRow("a spec of nothing is fine", {}, created({})),
  specRow("a spec of null is fine", null, created({})),
  specRow(
    "every field may be null",
    {
      holderIdentity: null,
      leaseDurationSeconds: null,
      acquireTime: null,
      renewTime: null,
      leaseTransitions: null,
    },
    created({}),
  ),
  specRow(
    "a duration of 1 s is the shortest",
    { leaseDurationSeconds: 1 },
    created({ leaseDurationSeconds: 1 }),
  ),
  specRow(
    "a duration of 0 is invalid",
    { leaseDurationSeconds: 0 },
    refusedAbsent(422, "Invalid", "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"),
  ),
  specRow(
    "a negative duration is invalid",
    { leaseDurationSeconds: -1 },
    refusedAbsent(422, "Invalid", "spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0"),
  ),
  specRow(
    "a duration with a fraction does not decode",
    { leaseDurationSeconds: 1.5 },
    cannotUnmarshalDuration("number 1.5"),
  ),
  specRow(
    "the largest duration is 2147483647 s",
    { leaseDurationSeconds: 2147483647 },
    created({ leaseDurationSeconds: 2147483647 }),
  ),
  specRow(
    "a duration beyond 32 bits does not decode",
    { leaseDurationSeconds: 2147483648 },
    cannotUnmarshalDuration("number 2147483648"),
  ),
  specRow(
    "a duration as text does not decode",
    { leaseDurationSeconds: "15" },
    cannotUnmarshalDuration("string"),
  ),
  specRow(
    "a duration of true does not decode",
    { leaseDurationSeconds: true },
    cannotUnmarshalDuration("bool"),
  ),
  specRow("0 transitions are fine", { leaseTransitions: 0 }, created({ leaseTransitions: 0 })),
  specRow(
    "negative transitions are invalid",
    { leaseTransitions: -1 },
    refusedAbsent(
      422,
      "Invalid",
      "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
    ),
  ),
  specRow(
    "transitions beyond 32 bits do not decode",
    { leaseTransitions: 2147483648 },
    cannotUnmarshal("number 2147483648 into Go struct field LeaseSpec.spec.leaseTransitions of type int32"),
  ),
  specRow("an empty holder is fine, and kept", { holderIdentity: "" }, created({ holderIdentity: "" })),
  specRow(
    "a holder is any text",
    { holderIdentity: "no de/1\n\u{1f600}" },
    created({ holderIdentity: "no de/1\n\u{1f600}" }),
  ),
  specRow(
    "a holder that is a number does not decode",
    { holderIdentity: 5 },
    cannotUnmarshal("number into Go struct field LeaseSpec.spec.holderIdentity of type string"),
  ),
  specRow(
    "a holder that is a list does not decode",
    { holderIdentity: ["node-1"] },
    cannotUnmarshal("array into Go struct field LeaseSpec.spec.holderIdentity of type string"),
  ),
  specRow(
    "a spec that is a list does not decode",
    [],
    cannotUnmarshal("array into Go struct field Lease.spec of type v1.LeaseSpec"),
  ),
  specRow(
    "the first wrong type is told",
    { holderIdentity: 5, leaseDurationSeconds: "15" },
    cannotUnmarshal("number into Go struct field LeaseSpec.spec.holderIdentity"),
  ),
  specRow(
    "a wrong time is told before a wrong type that comes first",
    { holderIdentity: 5, renewTime: "yesterday" },
    refusedAbsent(400, "BadRequest", 'parsing time "yesterday"'),
  ),
  specRow(
    "all invalid values are told",
    { leaseDurationSeconds: 0, leaseTransitions: -1 },
    refusedAbsent(
      422,
      "Invalid",
      "[spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]",
    ),
  ),
  specRow(
    "an unknown field is dropped with a warning",
    { ttl: 5 },
    created({}, { warning: '299 - "unknown field \\"spec.ttl\\""' }),
  ),
  specRow(
    "a field in the wrong case is an unknown field",
    { HolderIdentity: "node-1" },
    created({}, { warning: 'unknown field \\"spec.HolderIdentity\\"' }),
  ),
  specRow(
    "strategy and preferredHolder are dropped without a word while their gate is off",
    { strategy: "OldestEmulationVersion", preferredHolder: "node-2" },
    created({}),
  ),
  specRow("a strategy of any text is dropped too", { strategy: "no such thing" }, created({})),
  specRow(
    "a strategy that is a number does not decode",
    { strategy: 5 },
    cannotUnmarshal(
      "number into Go struct field LeaseSpec.spec.strategy of type v1.CoordinatedLeaseStrategy",
    ),
  ),
];

const BAD_NAME = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters";

const nameRow = (why: string, name: string, expect: Expectation): BodyRow => ({
  why,
  name,
  draft: {},
  expect,
});

const NAMES: readonly BodyRow[] = [
  nameRow("a name of 253 characters is fine", "a".repeat(253), created({})),
  nameRow(
    "a name of 254 characters is invalid",
    "a".repeat(254),
    refusedAbsent(422, "Invalid", "must be no more than 253 characters"),
  ),
  nameRow("a name of digits is fine", "123", created({})),
  nameRow("a name with dots is fine", "contract.with.dots", created({})),
  ...["UPPER", "a_b", "-a", "a-", "a..b", ".a", "a."].map((name) =>
    nameRow(
      `the name ${name} is invalid`,
      name,
      refusedAbsent(422, "Invalid", `metadata.name: Invalid value: "${name}": ${BAD_NAME}`),
    ),
  ),
  {
    why: "a name that is a number does not decode",
    draft: { metadata: { name: 5 } },
    expect: cannotUnmarshal("number into Go struct field ObjectMeta.metadata.name of type string"),
  },
];

const annotations = (why: string, value: unknown, expect: Expectation): BodyRow => ({
  why,
  draft: { metadata: { annotations: value } },
  expect,
});

const BAD_KEY = "name part must consist of alphanumeric characters";

const ANNOTATIONS: readonly BodyRow[] = [
  annotations(
    "an annotation that is a number does not decode",
    { term: 7 },
    cannotUnmarshal("number into Go struct field ObjectMeta.metadata.annotations of type string"),
  ),
  annotations(
    "an annotation of null is the empty text",
    { term: null },
    created({}, { annotations: { term: "" } }),
  ),
  annotations("annotations of null are none", null, created({}, { annotations: {} })),
  annotations(
    "annotations that are a list do not decode",
    ["term"],
    cannotUnmarshal("array into Go struct field ObjectMeta.metadata.annotations of type map[string]string"),
  ),
  annotations(
    "an annotation's value is any text",
    { term: "no number\n\u{1f600}" },
    created({}, { annotations: { term: "no number\n\u{1f600}" } }),
  ),
  annotations(
    "a key may have a domain before a slash",
    { "camel.io/leader-term": "7" },
    created({}, { annotations: { "camel.io/leader-term": "7" } }),
  ),
  annotations(
    "the domain of an annotation's key may have capitals, unlike a label's",
    { "Camel.io/Term": "7" },
    created({}, { annotations: { "Camel.io/Term": "7" } }),
  ),
  annotations(
    "a key with a space is invalid",
    { "bad key": "" },
    refusedAbsent(422, "Invalid", `metadata.annotations: Invalid value: "bad key": ${BAD_KEY}`),
  ),
  annotations(
    "a key with two slashes is invalid",
    { "a/b/c": "" },
    refusedAbsent(
      422,
      "Invalid",
      'metadata.annotations: Invalid value: "a/b/c": a valid label key must consist of',
    ),
  ),
  annotations(
    "a key with nothing before its slash is invalid",
    { "/a": "" },
    refusedAbsent(422, "Invalid", 'metadata.annotations: Invalid value: "/a": prefix part must be non-empty'),
  ),
  annotations(
    "a key with nothing after its slash is invalid",
    { "a/": "" },
    refusedAbsent(
      422,
      "Invalid",
      '[metadata.annotations: Invalid value: "a/": name part must be non-empty, metadata.annotations',
    ),
  ),
  annotations(
    "an empty key is invalid",
    { "": "" },
    refusedAbsent(422, "Invalid", 'metadata.annotations: Invalid value: "": name part must be non-empty'),
  ),
  annotations(
    "a key with an underscore in its domain is invalid",
    { "a_b/c": "" },
    refusedAbsent(422, "Invalid", `metadata.annotations: Invalid value: "a_b/c": prefix part ${BAD_NAME}`),
  ),
  annotations("a key of 63 characters is fine", { ["a".repeat(63)]: "" }, created({})),
  annotations(
    "a key of 64 characters is invalid",
    { ["a".repeat(64)]: "" },
    refusedAbsent(422, "Invalid", "name part must be no more than 63 bytes"),
  ),
  annotations(
    "a key's domain of 254 characters is invalid",
    { [`${"a".repeat(254)}/b`]: "" },
    refusedAbsent(422, "Invalid", "prefix part must be no more than 253 bytes"),
  ),
  annotations(
    "the key __proto__ is invalid like any other",
    JSON.parse('{"__proto__":""}'),
    refusedAbsent(422, "Invalid", 'metadata.annotations: Invalid value: "__proto__"'),
  ),
  annotations("annotations of 262144 bytes in all are fine", { ab: "x".repeat(262_142) }, created({})),
  annotations(
    "annotations of 262145 bytes in all are too long",
    { ab: "x".repeat(262_143) },
    refusedAbsent(422, "Invalid", "metadata.annotations: Too long: may not be more than 262144 bytes"),
  ),
  annotations(
    "the size of annotations is in bytes, not characters",
    { ab: "é".repeat(131_072) },
    refusedAbsent(422, "Invalid", "may not be more than 262144 bytes"),
  ),
];

const labels = (why: string, value: object, expect: Expectation): BodyRow => ({
  why,
  draft: { metadata: { labels: value } },
  expect,
});

const LABELS: readonly BodyRow[] = [
  labels("a label's value may be empty", { app: "" }, created({})),
  labels("a label's value has at most 63 characters", { app: "a".repeat(63) }, created({})),
  labels(
    "a label's value of 64 characters is invalid",
    { app: "a".repeat(64) },
    refusedAbsent(422, "Invalid", "must be no more than 63 bytes"),
  ),
  labels(
    "a label's value with a space is invalid",
    { app: "a b" },
    refusedAbsent(
      422,
      "Invalid",
      'metadata.labels: Invalid value: "a b": a valid label must be an empty string or consist of',
    ),
  ),
  labels(
    "what is wrong twice in the same words is told once",
    { app: "a b", tier: "a b" },
    refusedAbsent(422, "Invalid", ' is invalid: metadata.labels: Invalid value: "a b"'),
  ),
  labels(
    "a label's key is a qualified name",
    { "bad key": "" },
    refusedAbsent(422, "Invalid", `metadata.labels: Invalid value: "bad key": ${BAD_KEY}`),
  ),
  labels(
    "the domain of a label's key has no capitals",
    { "Camel.io/app": "" },
    refusedAbsent(422, "Invalid", `metadata.labels: Invalid value: "Camel.io/app": prefix part ${BAD_NAME}`),
  ),
  labels(
    "a label that is a number does not decode",
    { app: 5 },
    cannotUnmarshal("number into Go struct field ObjectMeta.metadata.labels of type string"),
  ),
];

const OTHER_METADATA: readonly BodyRow[] = [
  {
    why: "an unknown field of the metadata is dropped with a warning",
    draft: { metadata: { owner: "me" } },
    expect: created({}, { warning: 'unknown field \\"metadata.owner\\"' }),
  },
  {
    why: "metadata that is a text does not decode",
    draft: { metadata: { annotations: "none" } },
    expect: cannotUnmarshal(
      "string into Go struct field ObjectMeta.metadata.annotations of type map[string]string",
    ),
  },
];

export const BODY_ROWS: readonly ContractRow[] = [
  ...SPECS,
  ...NAMES,
  ...ANNOTATIONS,
  ...LABELS,
  ...OTHER_METADATA,
].map(({ why, name, draft, expect }) => ({
  why,
  ...(name === undefined ? {} : { name }),
  steps: [{ send: post(draft), expect }],
}));
