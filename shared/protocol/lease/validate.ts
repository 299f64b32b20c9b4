// What the API server judges about a Lease that decodes: names, keys, sizes and the two numbers. Nothing
// else: no time is ever judged, no holder, no history.
import { quote, utf8Length } from "./goText.ts";
import type { LeaseSpec, StringMap } from "./lease.ts";

/** One line of a 422: the field's path, and what is wrong with it in the API server's words. */
export interface FieldError {
  readonly field: string;
  readonly detail: string;
}

/**
 * All annotations together, keys and values, in UTF-8 bytes (apimachinery `TotalAnnotationSizeLimitB`, 256
 * KiB).
 */
export const ANNOTATIONS_LIMIT_BYTES = 262_144;
/** A DNS-1123 subdomain: the name of a Lease. */
export const NAME_LIMIT_BYTES = 253;

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const subdomainPattern = new RegExp(`^${SUBDOMAIN}$`);
const qualifiedNamePattern = new RegExp(`^${QUALIFIED_NAME}$`);
const labelValuePattern = new RegExp(`^${LABEL_VALUE}$`);

const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const QUALIFIED_NAME_WORDS =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED_NAME}')`;
const LABEL_VALUE_WORDS =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`;

/**
 * What is wrong with a text as a DNS-1123 subdomain: empty where nothing is. The server counts bytes and,
 * for a name, says characters.
 */
function subdomainErrors(text: string, unit: "characters" | "bytes"): readonly string[] {
  const errors: string[] = [];
  if (utf8Length(text) > NAME_LIMIT_BYTES) errors.push(`must be no more than ${NAME_LIMIT_BYTES} ${unit}`);
  if (!subdomainPattern.test(text)) errors.push(SUBDOMAIN_WORDS);
  return errors;
}

/** What is wrong with a text as an annotation or label key (apimachinery `IsQualifiedName`). */
function qualifiedNameErrors(text: string): readonly string[] {
  const parts = text.split("/");
  const errors: string[] = [];
  if (parts.length > 2)
    return [
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
        `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED_NAME}') ` +
        "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  const [prefix, name] = parts.length === 2 ? [parts[0] ?? "", parts[1] ?? ""] : [null, parts[0] ?? ""];
  if (prefix === "") errors.push("prefix part must be non-empty");
  else if (prefix !== null)
    errors.push(...subdomainErrors(prefix, "bytes").map((words) => `prefix part ${words}`));
  if (name === "") errors.push("name part must be non-empty");
  else if (utf8Length(name) > 63) errors.push("name part must be no more than 63 bytes");
  if (!qualifiedNamePattern.test(name)) errors.push(QUALIFIED_NAME_WORDS);
  return errors;
}

const invalid = (field: string, value: string | number, words: string): FieldError => ({
  field,
  detail: `${field}: Invalid value: ${typeof value === "number" ? value : quote(value)}: ${words}`,
});

/** The name of a Lease that is to be created. */
export function validateName(name: string): readonly FieldError[] {
  if (name === "")
    return [
      { field: "metadata.name", detail: "metadata.name: Required value: name or generateName is required" },
    ];
  return subdomainErrors(name, "characters").map((words) => invalid("metadata.name", name, words));
}

/**
 * Keys and total size. The key is judged in lower case, and its case is kept (apimachinery
 * `ValidateAnnotations`).
 * @param stored annotations that were judged before: their keys are not judged again.
 */
export function validateAnnotations(annotations: StringMap, stored: StringMap = {}): readonly FieldError[] {
  const errors: FieldError[] = [];
  let units = 0;
  for (const key in annotations) {
    units += key.length + (annotations[key] ?? "").length;
    if (Object.hasOwn(stored, key)) continue;
    for (const words of qualifiedNameErrors(key.toLowerCase()))
      errors.push(invalid("metadata.annotations", key, words));
  }
  // No UTF-16 unit takes more than three bytes, so nearly every Lease is small enough without counting them.
  if (units * 3 > ANNOTATIONS_LIMIT_BYTES && totalBytes(annotations) > ANNOTATIONS_LIMIT_BYTES)
    errors.push({
      field: "metadata.annotations",
      detail: `metadata.annotations: Too long: may not be more than ${ANNOTATIONS_LIMIT_BYTES} bytes`,
    });
  return errors;
}

const totalBytes = (map: StringMap): number =>
  Object.entries(map).reduce((total, [key, value]) => total + utf8Length(key) + utf8Length(value), 0);

export function validateLabels(labels: StringMap): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const words of qualifiedNameErrors(key)) errors.push(invalid("metadata.labels", key, words));
    if (utf8Length(value) > 63)
      errors.push(invalid("metadata.labels", value, "must be no more than 63 bytes"));
    if (!labelValuePattern.test(value)) errors.push(invalid("metadata.labels", value, LABEL_VALUE_WORDS));
  }
  return errors;
}

/** True for nearly every spec that is ever sent; {@link validateSpec} words the rest. */
export const specIsValid = (spec: LeaseSpec): boolean =>
  (spec.leaseDurationSeconds === undefined || spec.leaseDurationSeconds > 0) &&
  (spec.leaseTransitions === undefined || spec.leaseTransitions >= 0);

export function validateSpec(spec: LeaseSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { leaseDurationSeconds, leaseTransitions } = spec;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0)
    errors.push(invalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0"));
  if (leaseTransitions !== undefined && leaseTransitions < 0)
    errors.push(invalid("spec.leaseTransitions", leaseTransitions, "must be greater than or equal to 0"));
  return errors;
}
