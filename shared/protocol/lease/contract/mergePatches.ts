// Rows about merge patches: the one unconditional way to change a Lease, and so the one that a lock must
// not use.
import {
  HELD,
  NEW_HOLDER,
  MODIFIED,
  MUST_BE_SPECIFIED,
  refused,
  uidOf,
  versionOf,
  mergePatch,
  moved,
  STILL,
  TAKEN_SPEC,
  UNHELD_SPEC,
  type ContractRow,
  type Expectation,
} from "./row.ts";

type Patch = Parameters<typeof mergePatch>[0];
const merge = (
  why: string,
  patch: Patch,
  expect: Expectation,
  query?: Readonly<Record<string, string>>,
): ContractRow => ({
  why: `merge patch: ${why}`,
  given: HELD,
  steps: [{ send: mergePatch(patch, query === undefined ? {} : { query }), expect }],
});

export const MERGE_PATCH_ROWS: readonly ContractRow[] = [
  merge(
    "without a resourceVersion it is unconditional, and moves the version",
    { spec: NEW_HOLDER },
    moved(TAKEN_SPEC),
  ),
  merge("null removes a field", { spec: { holderIdentity: null } }, moved(UNHELD_SPEC)),
  merge(
    "annotations are merged key by key",
    { metadata: { annotations: { "camel.io/leader-term": null, other: "1" } } },
    moved(HELD.spec, { annotations: { other: "1" } }),
  ),
  merge(
    "null removes all annotations",
    { metadata: { annotations: null } },
    moved(HELD.spec, { annotations: {} }),
  ),
  merge("a spec of null empties the spec", { spec: null }, moved({})),
  merge("what changes nothing writes nothing", { spec: { holderIdentity: "node-1" } }, STILL),
  merge("an empty one writes nothing", {}, STILL),
  merge(
    "with the current resourceVersion it applies",
    (seen) => ({ metadata: { resourceVersion: versionOf(seen.now) }, spec: NEW_HOLDER }),
    moved(TAKEN_SPEC),
  ),
  merge(
    "with an old resourceVersion it conflicts",
    { metadata: { resourceVersion: "1" }, spec: NEW_HOLDER },
    refused(409, "Conflict", MODIFIED),
  ),
  merge(
    "with a resourceVersion that is no number it is a fault of the server",
    { metadata: { resourceVersion: "abc" } },
    refused(500, null, 'strconv.ParseUint: parsing "abc": invalid syntax'),
  ),
  ...[null, "", "0"].map((resourceVersion) =>
    merge(
      `with a resourceVersion of ${JSON.stringify(resourceVersion)} it is refused as a PUT without one`,
      { metadata: { resourceVersion }, spec: NEW_HOLDER },
      refused(422, "Invalid", MUST_BE_SPECIFIED),
    ),
  ),
  merge(
    "another uid is a change of what cannot change, and no precondition",
    { metadata: { uid: "made-up" } },
    refused(422, "Invalid", 'metadata.uid: Invalid value: "made-up": field is immutable'),
  ),
  merge(
    "an old version is told before another uid",
    { metadata: { uid: "made-up", resourceVersion: "1" } },
    refused(409, "Conflict", MODIFIED),
  ),
  merge(
    "another uid and an invalid value are told together",
    { metadata: { uid: "made-up" }, spec: { leaseDurationSeconds: 0 } },
    refused(
      422,
      "Invalid",
      '[metadata.uid: Invalid value: "made-up": field is immutable, spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0]',
    ),
  ),
  merge(
    "the right uid is fine",
    (seen) => ({ metadata: { uid: uidOf(seen.now) }, spec: NEW_HOLDER }),
    moved(TAKEN_SPEC),
  ),
  merge("a uid of null is fine", { metadata: { uid: null }, spec: NEW_HOLDER }, moved(TAKEN_SPEC)),
  merge(
    "the name cannot change",
    { metadata: { name: "another" } },
    refused(400, "BadRequest", "the name of the object (another) does not match the name on the URL"),
  ),
  merge(
    "the name cannot go",
    { metadata: { name: null } },
    refused(400, "BadRequest", "was undeterminable: name must be provided"),
  ),
  merge(
    "the namespace cannot change",
    { metadata: { namespace: "another" } },
    refused(400, "BadRequest", "the namespace of the provided object does not match"),
  ),
  merge(
    "the result is validated",
    { spec: { leaseDurationSeconds: 0 } },
    refused(422, "Invalid", "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"),
  ),
  merge(
    "a result that does not decode is invalid, not a bad request",
    { spec: { leaseDurationSeconds: 1.5 } },
    refused(
      422,
      "Invalid",
      "json: cannot unmarshal number 1.5 into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32",
    ),
  ),
  merge(
    "a time of three digits is invalid, not a bad request",
    { spec: { renewTime: "2026-12-01T08:00:00.123Z" } },
    refused(422, "Invalid", 'cannot parse ".123Z" as ".000000"'),
  ),
  merge(
    "an annotation that is a number is invalid, not a bad request",
    { metadata: { annotations: { term: 7 } } },
    refused(
      422,
      "Invalid",
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.annotations of type string",
    ),
  ),
  merge(
    "the kind cannot change",
    { kind: "Pod" },
    refused(422, "Invalid", 'no kind "Pod" is registered for version "coordination.k8s.io/v1"'),
  ),
  merge("a kind of null is as before", { kind: null, spec: NEW_HOLDER }, moved(TAKEN_SPEC)),
  merge(
    "without a version nothing of the object is found",
    { apiVersion: null },
    {
      ...refused(400, "BadRequest", "was undeterminable: name must be provided"),
      warning: 'unknown field \\"metadata\\"", 299 - "unknown field \\"spec\\"',
    },
  ),
  merge(
    "an unknown field is dropped with a warning",
    { spec: { ttl: 5 } },
    { ...STILL, warning: 'unknown field \\"spec.ttl\\"' },
  ),
  merge(
    "an unknown field is refused where the request asks to be strict",
    { spec: { ttl: 5 } },
    refused(422, "Invalid", 'strict decoding error: unknown field "spec.ttl"'),
    { fieldValidation: "Strict" },
  ),
  merge(
    "of a field that is given twice the last counts, with a warning",
    '{"spec":{"holderIdentity":"node-1","holderIdentity":"node-2"}}',
    moved(TAKEN_SPEC, { warning: 'duplicate field \\"spec.holderIdentity\\"' }),
  ),
  merge(
    "a dry run stores nothing",
    { spec: NEW_HOLDER },
    { ...STILL, answered: TAKEN_SPEC },
    { dryRun: "All" },
  ),
  merge(
    "a list is none",
    "[]",
    refused(
      400,
      "BadRequest",
      "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    ),
  ),
  merge("null is none", "null", refused(400, "BadRequest", "Invalid JSON Patch")),
  merge(
    "broken JSON is none",
    "{",
    refused(400, "BadRequest", "error decoding patch: unexpected end of JSON input"),
  ),
  merge(
    "nothing is none",
    "",
    refused(400, "BadRequest", "error decoding patch: unexpected end of JSON input"),
  ),
  {
    why: "merge patch: an absent name is not found, whatever the patch",
    steps: [
      { send: mergePatch({}), expect: refused(404, "NotFound", "leases.coordination.k8s.io", "absent") },
      { send: mergePatch("{"), expect: refused(404, "NotFound", "leases.coordination.k8s.io", "absent") },
    ],
  },
  {
    why: "merge patch: of 20 concurrent ones without a resourceVersion all apply, so none has the lock",
    only: {
      register: "memory",
      because:
        "the API server tries five times and then conflicts, so how many of twenty apply depends on chance",
    },
    given: HELD,
    steps: [
      {
        race: (seen, client) => mergePatch({ spec: { holderIdentity: `rival-${client}` } })(seen),
        clients: 20,
        tally: { 200: 20 },
        fate: "moved",
      },
    ],
  },
  {
    why: "a patch that does not say of which kind it is is refused",
    given: HELD,
    steps: [
      {
        send: mergePatch({}, { contentType: "application/json" }),
        expect: { code: 415, reason: "UnsupportedMediaType", fate: "still" },
      },
    ],
  },
  {
    why: "a strategic merge patch applies",
    only: { register: "server", because: "the in-memory register takes the two standard patches alone" },
    given: HELD,
    steps: [
      {
        send: mergePatch({ spec: NEW_HOLDER }, { contentType: "application/strategic-merge-patch+json" }),
        expect: moved(TAKEN_SPEC),
      },
    ],
  },
];
