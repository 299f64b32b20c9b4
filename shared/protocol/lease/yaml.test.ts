import { describe, expect, it } from "vitest";
import { leaseYaml, leaseYamlLines, objectYamlLines } from "./yaml.ts";

const spec = {
  renewTime: 1_796_112_002_000_001,
  leaseTransitions: 3,
  holderIdentity: "node-1",
  acquireTime: 1_796_112_000_000_000,
  leaseDurationSeconds: 15,
};

describe("leaseYaml", () => {
  it("prints what kubectl prints", () => {
    const lease = {
      name: "orders",
      uid: "uid-1",
      resourceVersion: "12",
      annotations: { "camel.io/leader-term": "2", "epoch-lab/process": "node-1.1" },
      labels: { app: "yes" },
      spec,
    };
    expect(leaseYaml(lease, { namespace: "shop", creationTimestamp: "2026-12-01T08:00:00Z" })).toBe(`\
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  annotations:
    camel.io/leader-term: "2"
    epoch-lab/process: node-1.1
  creationTimestamp: "2026-12-01T08:00:00Z"
  labels:
    app: "yes"
  name: orders
  namespace: shop
  resourceVersion: "12"
  uid: uid-1
spec:
  acquireTime: "2026-12-01T08:00:00.000000Z"
  holderIdentity: node-1
  leaseDurationSeconds: 15
  leaseTransitions: 3
  renewTime: "2026-12-01T08:00:02.000001Z"
`);
  });

  it("prints an empty spec as {}", () => {
    expect(leaseYaml({ name: "orders", annotations: {}, labels: {}, spec: {} })).toBe(
      "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: orders\nspec: {}\n",
    );
  });

  it("says of each line which field it shows", () => {
    const lines = leaseYamlLines({ name: "orders", annotations: { "a.b/c": "1\n2" }, labels: {}, spec: {} });
    expect(lines.map((line) => line.path)).toEqual([
      "apiVersion",
      "kind",
      "metadata",
      "metadata.annotations",
      "metadata.annotations.a.b/c",
      "metadata.annotations.a.b/c",
      "metadata.annotations.a.b/c",
      "metadata.name",
      "spec",
    ]);
  });
});

/** Each as go-yaml v2 prints it, the printer of kubectl. */
const scalars: readonly { readonly why: string; readonly text: string; readonly printed: string }[] = [
  { why: "an ordinary identity stands bare", text: "node-1_4f2c", printed: "node-1_4f2c" },
  { why: "nothing", text: "", printed: '""' },
  { why: "a number", text: "2", printed: '"2"' },
  { why: "a number with an underscore", text: "1_000", printed: '"1_000"' },
  { why: "an octal number", text: "007", printed: '"007"' },
  {
    why: "digits that are no octal number are a decimal one with a fraction of none",
    text: "08",
    printed: '"08"',
  },
  { why: "a hexadecimal number", text: "0x1F", printed: '"0x1F"' },
  { why: "a binary number", text: "-0b1", printed: '"-0b1"' },
  {
    why: "a number beyond 64 bits is a float",
    text: "18446744073709551616",
    printed: '"18446744073709551616"',
  },
  { why: "an exponent", text: "1e5", printed: '"1e5"' },
  { why: "an exponent beyond any float is a text", text: "1e400", printed: "1e400" },
  { why: "a float without a leading digit", text: ".5", printed: '".5"' },
  { why: "infinity", text: "-.inf", printed: '"-.inf"' },
  { why: "sexagesimals", text: "190:20:30", printed: '"190:20:30"' },
  { why: "a truth of YAML 1.1", text: "yes", printed: '"yes"' },
  { why: "a truth of one letter", text: "n", printed: '"n"' },
  { why: "no truth in mixed case", text: "yEs", printed: "yEs" },
  { why: "null", text: "~", printed: '"~"' },
  { why: "a date", text: "2026-12-01", printed: '"2026-12-01"' },
  { why: "a date with short fields", text: "2026-1-2", printed: '"2026-1-2"' },
  { why: "no date", text: "2026-02-30", printed: "2026-02-30" },
  { why: "a time with a space", text: "2026-12-01 08:00:00", printed: '"2026-12-01 08:00:00"' },
  { why: "a sign of YAML at the front", text: "*node", printed: "'*node'" },
  { why: "a quotation mark inside", text: "node's", printed: "node's" },
  { why: "a quotation mark at the front", text: "'node", printed: "'''node'" },
  { why: "a colon and a space", text: "node: 1", printed: "'node: 1'" },
  { why: "a colon alone", text: "node:1", printed: "node:1" },
  { why: "a colon at the end", text: "node:", printed: "'node:'" },
  { why: "a comment sign after a space", text: "node #1", printed: "'node #1'" },
  { why: "a comment sign elsewhere", text: "node#1", printed: "node#1" },
  { why: "a dash and a space", text: "- node", printed: "'- node'" },
  { why: "three dashes", text: "---", printed: "'---'" },
  { why: "a space at the end", text: "node ", printed: "'node '" },
  { why: "a tab", text: "a\tb", printed: '"a\\tb"' },
  { why: "a control character", text: "a\u0001", printed: '"a\\x01"' },
  { why: "letters beyond ASCII stand bare", text: "nœud-é", printed: "nœud-é" },
  { why: "characters beyond the basic plane are escaped", text: "\u{1f600}", printed: '"\\U0001F600"' },
  { why: "lines make a block", text: "a\nb", printed: "|-\n    a\n    b" },
  { why: "a line break at the end", text: "a\nb\n", printed: "|\n    a\n    b" },
  { why: "two line breaks at the end", text: "a\n\n", printed: "|+\n    a\n" },
  { why: "a block that begins with a space", text: " a\nb", printed: "|2-\n     a\n    b" },
  { why: "a line that ends in a space is no block", text: "a \nb", printed: '"a \\nb"' },
  {
    why: "a long text is broken at the first space beyond column 80",
    text: `${"x".repeat(70)} y z`,
    printed: `${"x".repeat(70)}\n    y z`,
  },
  { why: "a long text without a space is not", text: "x".repeat(200), printed: "x".repeat(200) },
];

describe("a holder in YAML", () => {
  for (const { why, text, printed } of scalars)
    it(why, () => {
      const yaml = leaseYaml({ name: "orders", annotations: {}, labels: {}, spec: { holderIdentity: text } });
      expect(yaml.split("  holderIdentity: ")[1]).toBe(`${printed}\n`);
    });
});

describe("keys in YAML", () => {
  it("stand in the printer's order: digits by their number, and before letters", () => {
    const annotations = { b: "x", a10: "x", a9: "x", "a-1": "x", "1": "x", true: "x" };
    const yaml = leaseYaml({ name: "orders", annotations, labels: {}, spec: {} });
    expect(yaml.match(/^ {4}.*$/gm)).toEqual([
      '    "1": x',
      "    a-1: x",
      "    a9: x",
      "    a10: x",
      "    b: x",
      '    "true": x',
    ]);
  });

  it("take a line of their own beyond 128 characters", () => {
    const key = `${"k".repeat(126)}/ab`;
    const yaml = leaseYaml({ name: "orders", annotations: { [key]: "1" }, labels: {}, spec: {} });
    expect(yaml).toContain(`    ? ${key}\n    : "1"\n`);
  });
});

describe("any object in YAML", () => {
  it("has its lists under their keys, as managed fields are printed", () => {
    const object = {
      metadata: {
        managedFields: [
          { apiVersion: "v1", fieldsV1: { "f:spec": { "f:holderIdentity": {}, ".": {} } }, manager: "node" },
          { manager: "kubectl-edit", operation: "Update" },
        ],
        finalizers: ["a/b", "2"],
        ownerReferences: [],
      },
      spec: { strategy: null, isSet: true, nested: [["x"], [{ y: 1 }]] },
    };
    expect(
      objectYamlLines(object)
        .map(({ text }) => text)
        .join("\n"),
    ).toBe(
      `metadata:
  finalizers:
  - a/b
  - "2"
  managedFields:
  - apiVersion: v1
    fieldsV1:
      f:spec:
        .: {}
        f:holderIdentity: {}
    manager: node
  - manager: kubectl-edit
    operation: Update
  ownerReferences: []
spec:
  isSet: true
  nested:
  - - x
  - - "y": 1
  strategy: null`,
    );
  });

  it("names the field of each line", () => {
    expect(objectYamlLines({ a: [{ b: 1, c: 2 }] }).map(({ path }) => path)).toEqual([
      "a",
      "a[0].b",
      "a[0].c",
    ]);
  });
});
