// Rows about JSON patches, with the lenient places of the library that the API server uses.
import {
  HELD,
  MODIFIED,
  refused,
  versionOf,
  jsonPatch,
  moved,
  STILL,
  TAKEN_SPEC,
  UNHELD_SPEC,
  type ContractRow,
  type Expectation,
} from "./row.ts";

const REJECTED: Expectation = refused(
  422,
  "Invalid",
  "the server rejected our request due to an error in our request",
);

type Operations = Parameters<typeof jsonPatch>[0];
const json = (
  why: string,
  operations: Operations,
  expect: Expectation,
  query?: Readonly<Record<string, string>>,
): ContractRow => ({
  why: `JSON patch: ${why}`,
  given: HELD,
  steps: [{ send: jsonPatch(operations, query === undefined ? {} : { query }), expect }],
});

const HOLDER = "/spec/holderIdentity";
const take = { op: "replace", path: HOLDER, value: "node-2" };

export const JSON_PATCH_ROWS: readonly ContractRow[] = [
  json("replace", [take], moved(TAKEN_SPEC)),
  json(
    "a test that holds lets the rest apply",
    [{ op: "test", path: HOLDER, value: "node-1" }, take],
    moved(TAKEN_SPEC),
  ),
  json(
    "a test that fails applies nothing, and is invalid",
    [{ op: "test", path: HOLDER, value: "node-9" }, take],
    REJECTED,
  ),
  json(
    "a test that fails after a change applies nothing",
    [take, { op: "test", path: HOLDER, value: "node-1" }],
    REJECTED,
  ),
  json(
    "a test of the resourceVersion is a condition",
    (seen) => [{ op: "test", path: "/metadata/resourceVersion", value: versionOf(seen.now) }, take],
    moved(TAKEN_SPEC),
  ),
  json(
    "a test of an old resourceVersion is invalid, not a conflict",
    [{ op: "test", path: "/metadata/resourceVersion", value: "1" }, take],
    REJECTED,
  ),
  json(
    "a test of a whole object takes its keys in any order",
    [{ op: "test", path: "/metadata/labels", value: { app: "lab" } }, take],
    moved(TAKEN_SPEC),
  ),
  json(
    "a test of a number compares how it is written",
    '[{"op":"test","path":"/spec/leaseDurationSeconds","value":15.0}]',
    REJECTED,
  ),
  json(
    "a test of a number that is written alike holds",
    [{ op: "test", path: "/spec/leaseDurationSeconds", value: 15 }],
    STILL,
  ),
  json(
    "a test of an absent field for null holds",
    [{ op: "test", path: "/spec/absent", value: null }],
    STILL,
  ),
  json("a test of an absent field without a value holds", [{ op: "test", path: "/spec/absent" }], STILL),
  json(
    "a test of an absent field for a value fails",
    [{ op: "test", path: "/spec/absent", value: "x" }],
    REJECTED,
  ),
  json("a test below an absent field fails", [{ op: "test", path: "/spec/absent/x", value: null }], REJECTED),
  json("a test of the whole document compares all of it", [{ op: "test", path: "", value: {} }], REJECTED),
  json(
    "add",
    [{ op: "add", path: "/metadata/annotations/other", value: "1" }],
    moved(HELD.spec, { annotations: { "camel.io/leader-term": "7", other: "1" } }),
  ),
  json(
    "a slash in a key is written ~1",
    [{ op: "replace", path: "/metadata/annotations/camel.io~1leader-term", value: "8" }],
    moved(HELD.spec, { annotations: { "camel.io/leader-term": "8" } }),
  ),
  json(
    "add below an absent object is refused",
    [{ op: "add", path: "/metadata/absent/x", value: "1" }],
    REJECTED,
  ),
  json("add into a text is refused", [{ op: "add", path: `${HOLDER}/x`, value: "1" }], REJECTED),
  json("add without a value sets null", [{ op: "add", path: HOLDER }], moved(UNHELD_SPEC)),
  json("remove", [{ op: "remove", path: HOLDER }], moved(UNHELD_SPEC)),
  json("remove of an absent field is refused", [{ op: "remove", path: "/spec/absent" }], REJECTED),
  json(
    "replace of an absent field adds it",
    [{ op: "replace", path: "/metadata/annotations/other", value: "1" }],
    moved(HELD.spec, { annotations: { "camel.io/leader-term": "7", other: "1" } }),
  ),
  json(
    "replace below an absent object is refused",
    [{ op: "replace", path: "/metadata/absent/x", value: "1" }],
    REJECTED,
  ),
  json(
    "move",
    [{ op: "move", from: HOLDER, path: "/metadata/annotations/last" }],
    moved(UNHELD_SPEC, { annotations: { "camel.io/leader-term": "7", last: "node-1" } }),
  ),
  json("move of an absent field is refused", [{ op: "move", from: "/spec/absent", path: HOLDER }], REJECTED),
  json("move from nowhere is refused", [{ op: "move", path: HOLDER }], REJECTED),
  json(
    "copy",
    [{ op: "copy", from: HOLDER, path: "/metadata/annotations/last" }],
    moved(HELD.spec, { annotations: { "camel.io/leader-term": "7", last: "node-1" } }),
  ),
  json(
    "copy of an absent field sets null",
    [{ op: "copy", from: "/spec/absent", path: HOLDER }],
    moved(UNHELD_SPEC),
  ),
  json(
    "lists on the way are lists",
    [
      { op: "add", path: "/spec/list", value: ["a"] },
      { op: "add", path: "/spec/list/-", value: "c" },
      { op: "add", path: "/spec/list/1", value: "b" },
      { op: "test", path: "/spec/list", value: ["a", "b", "c"] },
      { op: "remove", path: "/spec/list/0" },
      { op: "test", path: "/spec/list/0", value: "b" },
      { op: "remove", path: "/spec/list" },
    ],
    STILL,
  ),
  json(
    "a list has no place beyond its end",
    [
      { op: "add", path: "/spec/list", value: [] },
      { op: "add", path: "/spec/list/5", value: 1 },
      { op: "remove", path: "/spec/list" },
    ],
    REJECTED,
  ),
  json("an unknown operation is refused", [{ op: "increment", path: HOLDER }], REJECTED),
  json("an operation without a path is refused", [{ op: "remove" }], REJECTED),
  json("the names of an operation's fields are in lower case", [{ OP: "remove", PATH: HOLDER }], {
    ...REJECTED,
  }),
  json("an entry of null is refused", "[null]", REJECTED),
  json("none at all writes nothing", [], STILL),
  json("null is none at all", "null", STILL),
  json(
    "a path starts after its first slash",
    [{ op: "replace", path: "spec/holderIdentity", value: "node-2" }],
    { ...STILL, warning: 'unknown field \\"holderIdentity\\"' },
  ),
  json(
    "the root is the document",
    [{ op: "replace", path: "", value: {} }],
    refused(400, "BadRequest", "was undeterminable: name must be provided"),
  ),
  json("the root can be replaced by an object alone", [{ op: "replace", path: "", value: "x" }], REJECTED),
  json("the root cannot be added to or removed", [{ op: "remove", path: "" }], REJECTED),
  json(
    "the result is validated",
    [{ op: "replace", path: "/spec/leaseDurationSeconds", value: 0 }],
    refused(422, "Invalid", "must be greater than 0"),
  ),
  json(
    "the result must decode",
    [{ op: "replace", path: "/spec/leaseDurationSeconds", value: "15" }],
    refused(
      422,
      "Invalid",
      "json: cannot unmarshal string into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32",
    ),
  ),
  json(
    "a replaced resourceVersion is a condition",
    [{ op: "replace", path: "/metadata/resourceVersion", value: "1" }, take],
    refused(409, "Conflict", MODIFIED),
  ),
  json(
    "an unknown field of an operation is a warning",
    [{ ...take, why: "mine" }],
    moved(TAKEN_SPEC, { warning: 'json patch unknown field \\"[0].why\\"' }),
  ),
  json(
    "an unknown field of an operation is refused where the request asks to be strict",
    [{ ...take, why: "mine" }],
    refused(422, "Invalid", 'json patch unknown field "[0].why"'),
    { fieldValidation: "Strict" },
  ),
  json(
    "a field of an operation that is given twice is a warning",
    '[{"op":"add","op":"remove","path":"/spec/holderIdentity"}]',
    moved(UNHELD_SPEC, { warning: 'json patch duplicate field \\"[0].op\\"' }),
  ),
  json(
    "an object is none",
    "{}",
    refused(
      400,
      "BadRequest",
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    ),
  ),
  json(
    "a number in the list is none",
    "[5]",
    refused(
      400,
      "BadRequest",
      "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp",
    ),
  ),
  json(
    "an operation by number is none",
    '[{"op":5,"path":"/spec"}]',
    refused(
      400,
      "BadRequest",
      "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
    ),
  ),
  json(
    "broken JSON is none",
    "[",
    refused(400, "BadRequest", "error decoding patch: unexpected end of JSON input"),
  ),
];
