// The options that a DELETE may bring in its body: preconditions and a dry run.
import { isObject, kindName, readJson, writeJson, type Json } from "./jsonText.ts";

export type DeletePreconditions = { readonly uid?: string; readonly resourceVersion?: string };

export type DeleteOptions =
  | {
      readonly kind: "options";
      readonly dryRun: readonly string[];
      readonly preconditions: DeletePreconditions;
    }
  | { readonly kind: "refused"; readonly message: string };

/** Decodes the body of a DELETE. What the register cannot show, such as a propagation policy, is dropped. */
export function decodeDeleteOptions(text: string): DeleteOptions {
  const refused = (message: string): DeleteOptions => ({ kind: "refused", message });
  const read = readJson(text);
  if (!read.ok) return refused(`couldn't get version/kind; json parse error: ${read.message}`);
  const value = read.value ?? {};
  if (!isObject(value))
    return refused(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindName(value)} into Go value of type struct`,
    );
  const { kind = null, dryRun = null, preconditions = null } = value;
  if (kind !== null && kind !== "DeleteOptions")
    return refused(`no kind ${writeJson(kind)} is registered as options of a delete`);
  if (dryRun !== null && !Array.isArray(dryRun))
    return refused(
      `json: cannot unmarshal ${kindName(dryRun)} into Go struct field DeleteOptions.dryRun of type []string`,
    );
  if (preconditions !== null && !isObject(preconditions))
    return refused(
      `json: cannot unmarshal ${kindName(preconditions)} into Go struct field DeleteOptions.preconditions of type v1.Preconditions`,
    );
  const texts: string[] = [];
  for (const item of (dryRun ?? []) as readonly Json[]) {
    if (typeof item !== "string")
      return refused(
        `json: cannot unmarshal ${kindName(item)} into Go struct field DeleteOptions.dryRun of type string`,
      );
    texts.push(item);
  }
  const { uid = null, resourceVersion = null } = preconditions ?? {};
  if (uid !== null && typeof uid !== "string")
    return refused(
      `json: cannot unmarshal ${kindName(uid)} into Go struct field Preconditions.preconditions.uid of type types.UID`,
    );
  if (resourceVersion !== null && typeof resourceVersion !== "string")
    return refused(
      `json: cannot unmarshal ${kindName(resourceVersion)} into Go struct field Preconditions.preconditions.resourceVersion of type string`,
    );
  return {
    kind: "options",
    dryRun: texts,
    preconditions: {
      ...(uid === null ? {} : { uid }),
      ...(resourceVersion === null ? {} : { resourceVersion }),
    },
  };
}
