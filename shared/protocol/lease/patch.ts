// The two patches that the register takes: JSON Merge Patch (RFC 7386) and JSON Patch (RFC 6902) as the API
// server's library (evanphx/json-patch) applies it, lenient places included.
import { quote } from "./goText.ts";
import { isObject, kindName, numberText, type Json, type JsonObject } from "./jsonText.ts";

export type Patched =
  | { readonly kind: "patched"; readonly value: Json; readonly warnings: readonly string[] }
  /** 400: no patch at all. */
  | { readonly kind: "undecodable"; readonly message: string }
  /**
   * 422: a patch that does not apply, for example because a `test` failed. The server does not say which
   * operation.
   */
  | { readonly kind: "inapplicable" };

/** Merges: objects key by key, null removes, anything else replaces. */
export function applyMergePatch(target: Json, patch: Json): Patched {
  if (patch === null) return { kind: "undecodable", message: "Invalid JSON Patch" };
  if (!isObject(patch))
    return {
      kind: "undecodable",
      message: `error decoding patch: json: cannot unmarshal ${kindName(patch)} into Go value of type map[string]interface {}`,
    };
  return { kind: "patched", value: sorted(merge(target, patch)), warnings: [] };
}

function merge(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch))
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key) ?? null, value));
  return Object.fromEntries(merged);
}

/**
 * Go writes its maps with sorted keys. What is wrong with two fields is so told of the first in the
 * alphabet.
 */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

/** An operation that has the right types. Absent texts are empty, as in Go. */
interface Operation {
  readonly op: string;
  readonly path: string | null;
  readonly from: string | null;
  readonly value: Json;
}

const OPERATION_KEYS: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/** Applies all operations in order, or none. */
export function applyJsonPatch(target: Json, patch: Json): Patched {
  if (patch !== null && !Array.isArray(patch))
    return {
      kind: "undecodable",
      message: `error decoding patch: json: cannot unmarshal ${kindName(patch)} into Go value of type []handlers.jsonPatchOp`,
    };
  const warnings: string[] = [];
  const operations: Operation[] = [];
  for (const [index, item] of ((patch ?? []) as readonly Json[]).entries()) {
    if (item !== null && !isObject(item))
      return {
        kind: "undecodable",
        message: `error decoding patch: json: cannot unmarshal ${kindName(item)} into Go value of type handlers.jsonPatchOp`,
      };
    const fields: JsonObject = item ?? {};
    for (const key of ["op", "path", "from"])
      if (typeof (fields[key] ?? "") !== "string")
        return {
          kind: "undecodable",
          message: `error decoding patch: json: cannot unmarshal ${kindName(fields[key])} into Go struct field jsonPatchOp.${key} of type string`,
        };
    for (const key of Object.keys(fields))
      if (!OPERATION_KEYS.has(key)) warnings.push(`json patch unknown field ${quote(`[${index}].${key}`)}`);
    const textOf = (key: string): string | null => {
      const text = fields[key];
      return typeof text === "string" ? text : null;
    };
    operations.push({
      op: textOf("op") ?? "",
      path: textOf("path"),
      from: textOf("from"),
      value: fields["value"] ?? null,
    });
  }
  let value = target;
  for (const operation of operations) {
    const next = applyOperation(value, operation);
    if (next === undefined) return { kind: "inapplicable" };
    value = next;
  }
  return { kind: "patched", value: sorted(value), warnings };
}

/** The document afterwards, or undefined where the operation does not apply. */
function applyOperation(document: Json, { op, path, from, value }: Operation): Json | undefined {
  if (path === null) return undefined;
  switch (op) {
    case "add":
      return change(document, path, (place, key) => add(place, key, value));
    case "remove":
      return change(document, path, remove);
    case "replace":
      // The whole document can be replaced, by something that has places of its own.
      if (path === "") return isPlace(value) ? value : undefined;
      return change(document, path, (place, key) =>
        read(place, key) === undefined ? undefined : put(place, key, value),
      );
    case "move": {
      const moved = from === null ? undefined : lookUp(document, from);
      const without = moved === undefined || from === null ? undefined : change(document, from, remove);
      return moved === undefined || without === undefined
        ? undefined
        : change(without, path, (place, key) => add(place, key, moved));
    }
    case "copy": {
      const copied = from === null ? undefined : lookUp(document, from);
      return copied === undefined
        ? undefined
        : change(document, path, (place, key) => add(place, key, copied));
    }
    case "test": {
      const found = path === "" ? document : lookUp(document, path);
      return found !== undefined && sameJson(found, value) ? document : undefined;
    }
    default:
      return undefined;
  }
}

type Place = JsonObject | readonly Json[];

/** Keys of a path. All before the first slash is ignored, and a path without one leads nowhere. */
function keysOf(path: string): readonly string[] | undefined {
  const parts = path.split("/");
  return parts.length < 2
    ? undefined
    : parts.slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Rebuilds the document with one object or list changed. */
function change(
  document: Json,
  path: string,
  edit: (place: Place, key: string) => Place | undefined,
): Json | undefined {
  const keys = keysOf(path);
  return keys === undefined ? undefined : changeAt(document, keys, edit);
}

function changeAt(
  value: Json,
  [key = "", ...rest]: readonly string[],
  edit: (place: Place, key: string) => Place | undefined,
): Json | undefined {
  if (!isPlace(value)) return undefined;
  if (rest.length === 0) return edit(value, key);
  const inner = changeAt(read(value, key) ?? null, rest, edit);
  return inner === undefined ? undefined : put(value, key, inner);
}

function lookUp(document: Json, path: string): Json | undefined {
  let value: Json | undefined = document;
  const keys = keysOf(path);
  if (keys === undefined) return undefined;
  for (const key of keys) value = value !== undefined && isPlace(value) ? read(value, key) : undefined;
  return value;
}

const isPlace = (value: Json): value is Place => Array.isArray(value) || isObject(value);
const isList = (place: Place): place is readonly Json[] => Array.isArray(place);

/**
 * What is there. An absent key of an object reads as null: `replace` and `copy` of it apply, and so does a
 * `test` for null.
 */
function read(place: Place, key: string): Json | undefined {
  if (isList(place)) return /^\d+$/.test(key) ? place[Number(key)] : undefined;
  return Object.hasOwn(place, key) ? (place[key] ?? null) : null;
}

function put(place: Place, key: string, value: Json): Place {
  return isList(place)
    ? place.with(Number(key), value)
    : Object.fromEntries([...Object.entries(place), [key, value]]);
}

function add(place: Place, key: string, value: Json): Place | undefined {
  if (!isList(place)) return put(place, key, value);
  const index = key === "-" ? place.length : /^\d+$/.test(key) ? Number(key) : -1;
  return index < 0 || index > place.length ? undefined : place.toSpliced(index, 0, value);
}

function remove(place: Place, key: string): Place | undefined {
  if (isList(place)) return read(place, key) === undefined ? undefined : place.toSpliced(Number(key), 1);
  return Object.hasOwn(place, key)
    ? Object.fromEntries(Object.entries(place).filter(([other]) => other !== key))
    : undefined;
}

/** Numbers are compared as they are written: 10 is not 10.0. */
function sameJson(left: Json, right: Json): boolean {
  const [leftNumber, rightNumber] = [numberText(left), numberText(right)];
  if (leftNumber !== null || rightNumber !== null) return leftNumber === rightNumber;
  if (Array.isArray(left) || Array.isArray(right))
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index]))
    );
  if (isObject(left) && isObject(right))
    return (
      Object.keys(left).length === Object.keys(right).length &&
      Object.entries(left).every(
        ([key, item]) => Object.hasOwn(right, key) && sameJson(item, right[key] ?? null),
      )
    );
  return left === right;
}
