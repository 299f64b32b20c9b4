// Where the Lease lives: the cluster that the lab was started with, what the preflight found, runs on it, and what earlier
// runs left there. A cluster that is not ready shows its preflight and nothing else.
import { useLocation } from "wouter";
import { Button } from "../parts/Button.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { useLab } from "../state/store.ts";
import { findBranch } from "../../shared/trace/recording.ts";
import type { Check, Identity, ServerState } from "./api.ts";
import { Leftovers } from "./Leftovers.tsx";
import { checkCluster, leaveRun, openDialog, startClusterRun } from "./run.ts";
import { useCluster } from "./store.ts";
import css from "./ClusterDialog.module.css";

export function ClusterDialog() {
  const server = useCluster((state) => state.server);
  const waiting = useCluster((state) => state.waiting);
  const problem = useCluster((state) => state.problem);
  return (
    <Dialog title="Where the Lease lives" onClose={() => openDialog(false)}>
      {server.kind === "on" ? <On server={server} /> : <Off server={server} />}
      <p className={css.status} role="status">
        {waiting === null ? "" : `${waiting} is on its way …`}
      </p>
      {problem !== null && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

function Off({ server }: { readonly server: ServerState | { readonly kind: "unknown" } }) {
  return (
    <>
      {server.kind === "failed" && (
        <p className={css.problem}>
          <b>The cluster that was asked for cannot be used.</b> {server.problem.cause} {server.problem.remedy}
        </p>
      )}
      <p>
        In memory: a model of the API server, checked row by row against a real one. To run the same scenario
        on a real API server, start the lab with one of these:
      </p>
      <dl className={css.starts}>
        <Start command="npm start -- --cluster=throwaway">
          a server of the lab’s own on this machine, gone with the lab
        </Start>
        <Start command="npm start -- --cluster=kubeconfig">
          your cluster; --kubeconfig, --context and --namespace choose as kubectl does
        </Start>
        <Start command="npm start -- --cluster=in-cluster">from a pod, with its service account</Start>
        <Start command="npm run cluster -- --role NAMESPACE">
          prints all that the lab needs to be allowed there
        </Start>
      </dl>
    </>
  );
}

function Start({ command, children }: { readonly command: string; readonly children: string }) {
  return (
    <div>
      <dt>
        <code>{command}</code>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function On({ server }: { readonly server: Extract<ServerState, { kind: "on" }> }) {
  const { identity, preflight } = server;
  const failed = preflight.checks.filter(({ state }) => state === "failed").length;
  return (
    <>
      <IdentityList identity={identity} version={preflight.version} />
      {preflight.ready && <Runs identity={identity} />}
      <details className={css.preflight} open={!preflight.ready}>
        <summary>
          {preflight.ready
            ? `Preflight: all ${preflight.checks.length} checks passed`
            : `Preflight: ${failed} of ${preflight.checks.length} checks failed; the lab runs in memory only`}
        </summary>
        <ul className={css.checks}>
          {preflight.checks.map((check) => (
            <CheckItem key={check.id} check={check} />
          ))}
        </ul>
        <Button isSmall onClick={() => void checkCluster(window)}>
          Check again
        </Button>
      </details>
      {preflight.ready && <Leftovers />}
    </>
  );
}

function IdentityList({
  identity,
  version,
}: {
  readonly identity: Identity;
  readonly version: string | null;
}) {
  const rows = [
    ["Context", identity.context],
    ["API server", `${identity.server}${version === null ? "" : `, ${version}`}`],
    ["Namespace", identity.namespace],
  ];
  return (
    <dl className={css.identity}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const MARKS = { ok: "✓", failed: "✕", skipped: "–" } as const;
const MARK_WORDS = { ok: "passed", failed: "failed", skipped: "not checked" } as const;

function CheckItem({ check }: { readonly check: Check }) {
  return (
    <li className={css.check} data-state={check.state}>
      <span className={css.mark} role="img" aria-label={MARK_WORDS[check.state]}>
        {MARKS[check.state]}
      </span>
      <span>
        {check.title}: {check.found}
        {check.remedy !== "" && <span className={css.remedy}> {check.remedy}</span>}
      </span>
    </li>
  );
}

function Runs({ identity }: { readonly identity: Identity }) {
  const [, navigate] = useLocation();
  const run = useCluster((state) => state.run);
  const waiting = useCluster((state) => state.waiting);
  const recording = useLab((chosen) => chosen.recording);
  const branch = useLab((chosen) => chosen.moment.branch);
  const name = findBranch(recording, branch)?.name ?? "";
  const isLeadership = recording.origin.kind === "scenario" || recording.origin.system === "leadership";
  const refusal = !isLeadership
    ? "Only runs of the leadership system have a Lease."
    : waiting === null
      ? null
      : "One thing at a time.";
  const start = (manner: "step" | "replay"): void => {
    void startClusterRun(window, manner).then((isStarted) => {
      if (isStarted) navigate("/");
    });
  };
  return (
    <section className={css.runs} aria-label="Runs on the cluster">
      {run !== null && (
        <p className={css.present}>
          A run is open: Lease <code>{run.lease}</code>.
        </p>
      )}
      <p>
        A run follows the line that you are looking at, “{name}”, as a branch of its own: whatever the Lease
        API would be asked is asked on the server. It makes one Lease in {identity.namespace}, with the lab’s
        label, touches no other, and deletes it when the run ends.
      </p>
      <div className={css.buttons}>
        <Button look="primary" refusal={refusal} onClick={() => start("step")}>
          {run === null ? "Step through it on the cluster" : "Start over on a fresh Lease"}
        </Button>
        <Button refusal={refusal} onClick={() => start("replay")}>
          Replay it there and compare
        </Button>
        {run !== null && (
          <Button
            refusal={waiting === null ? null : "One thing at a time."}
            onClick={() => void leaveRun(window, "")}
          >
            End the run, delete its Lease
          </Button>
        )}
      </div>
    </section>
  );
}
