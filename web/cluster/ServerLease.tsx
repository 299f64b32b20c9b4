// The Lease as the API server has it, the way kubectl prints it, and the command that shows the same.
import { objectYamlLines, type YamlLine, type YamlValue } from "../../shared/protocol/lease/yaml.ts";
import { useLab } from "../state/store.ts";
import { Fold } from "../parts/Section.tsx";
import { useCluster, type RunView } from "./store.ts";
import css from "./ServerLease.module.css";

/** The run, while the branch that is looked at is its own. */
export function useRunHere(): RunView | null {
  const run = useCluster((state) => state.run);
  const branch = useLab((chosen) => chosen.moment.branch);
  return run !== null && run.branch === branch ? run : null;
}

/** The command that prints the Lease of a run. A pod has no context to name. */
export function kubectlCommand({ identity, lease }: Pick<RunView, "identity" | "lease">): string {
  const context = identity.context === "in-cluster" ? "" : ` --context ${quoted(identity.context)}`;
  return `kubectl${context} --namespace ${identity.namespace} get lease ${lease} -o yaml`;
}

const quoted = (text: string): string =>
  /^[\w@./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The manifest's lines without the managed fields, as kubectl prints it unless it is asked for them. */
export function manifestLines(manifest: unknown): readonly YamlLine[] {
  const { metadata, ...rest } = manifest as ManifestObject;
  const { managedFields: _managed, ...shown } = metadata as ManifestObject;
  return objectYamlLines({ ...rest, metadata: shown });
}

/** Whether the server's Lease is the very version that a recording has. */
export function isVersion(manifest: unknown, resourceVersion: string): boolean {
  if (typeof manifest !== "object" || manifest === null) return false;
  const { metadata } = manifest as ManifestObject;
  return (metadata as ManifestObject)["resourceVersion"] === resourceVersion;
}

/** `isShown`: its YAML stands above already, since the server has the very version that the run has. */
export function ServerLease({ run, isShown }: { readonly run: RunView; readonly isShown: boolean }) {
  const { manifest } = run;
  return (
    <div className={css.server}>
      <p className={css.head}>
        {isShown ? "The same by hand" : "On the server now"}
        <button
          type="button"
          className={css.copy}
          title="Copy the command that shows the same"
          onClick={() => void copy(kubectlCommand(run))}
        >
          <code>{kubectlCommand(run)}</code>
        </button>
      </p>
      {manifest === undefined ? (
        <p className={css.soft}>It is being asked for …</p>
      ) : manifest === null ? (
        <p className={css.soft}>There is no Lease of this name.</p>
      ) : (
        <>
          {!isShown && <Yaml lines={manifestLines(manifest)} label="The Lease on the server as YAML" />}
          <ManagedFields manifest={manifest as ManifestObject} />
        </>
      )}
    </div>
  );
}

type ManifestObject = { readonly [key: string]: YamlValue };

function ManagedFields({ manifest }: { readonly manifest: ManifestObject }) {
  const { managedFields } = manifest["metadata"] as ManifestObject;
  if (!Array.isArray(managedFields)) return null;
  return (
    <Fold
      title={<span className={css.soft}>managedFields: who wrote which field ({managedFields.length})</span>}
    >
      <Yaml lines={objectYamlLines({ managedFields })} label="Managed fields as YAML" />
    </Fold>
  );
}

function Yaml({ lines, label }: { readonly lines: readonly YamlLine[]; readonly label: string }) {
  return (
    <pre className={css.yaml} tabIndex={0} aria-label={label}>
      {lines.map(({ text }) => `${text}\n`).join("")}
    </pre>
  );
}

async function copy(text: string): Promise<void> {
  const { say } = await import("../state/store.ts");
  try {
    await navigator.clipboard.writeText(text);
    say("info", "Command copied.");
  } catch (error) {
    console.info("The clipboard is closed", error);
    say("error", "This browser does not let the lab use the clipboard. Select the command and copy it.");
  }
}
