// The line above the lab while a run is open on a cluster: where it is, what is out at the server, how far the script is, and
// what a comparison came to.
import { useLocation } from "wouter";
import { Button } from "../parts/Button.tsx";
import { chooseBranch, goToEvent, useLab } from "../state/store.ts";
import { useCluster, type Replay, type RunView } from "./store.ts";
import css from "./ClusterBanner.module.css";

export function ClusterBanner() {
  const run = useCluster((state) => state.run);
  const branch = useLab((chosen) => chosen.moment.branch);
  return run === null ? null : <Banner run={run} isHere={branch === run.branch} />;
}

function Banner({ run, isHere }: { readonly run: RunView; readonly isHere: boolean }) {
  const [, navigate] = useLocation();
  const { identity, calling, replay } = run;
  return (
    <div className={css.banner} data-banner data-here={isHere} aria-label="Run on the cluster" role="region">
      <span className={css.dot} data-calling={calling !== null || undefined} aria-hidden="true" />
      <span className={css.words}>
        {isHere ? (
          <>
            <b>On a real API server</b>: {identity.context}, {identity.server}, namespace {identity.namespace}
            .{" "}
          </>
        ) : (
          <>
            <b>This branch is in memory.</b> A real server cannot be rewound; the run on {identity.context}{" "}
            stays as it is.{" "}
          </>
        )}
        <span className={css.soft} role="status">
          {calling === null ? (isHere ? progressText(run) : "") : `Waiting for the server: ${calling} …`}
        </span>
      </span>
      {replay !== null && <ReplayResult replay={replay} branch={run.branch} />}
      {!isHere && (
        <Button isSmall onClick={() => chooseBranch(run.branch)}>
          To the run on the cluster
        </Button>
      )}
      <Button isSmall onClick={() => navigate("/compare")}>
        Compare with memory
      </Button>
      <Button
        isSmall
        look="quiet"
        onClick={() => void import("./run.ts").then(({ leaveRun }) => leaveRun(window, ""))}
      >
        End the run
      </Button>
    </div>
  );
}

function progressText({ at, script }: RunView): string {
  if (at === null) return "It has left its script and goes on by itself.";
  if (script.length === 0) return "It has no script: things happen by themselves, or by your hand.";
  return at < script.length
    ? `${at} of ${script.length} actions of its script are done.`
    : "Its script is done.";
}

function ReplayResult({ replay, branch }: { readonly replay: Replay; readonly branch: string }) {
  const { first, state, compared, total, of } = replay;
  const where = (): void => {
    chooseBranch(branch);
    if (first?.seq !== null && first !== null) goToEvent(first.seq);
  };
  return (
    <span className={css.result} data-differs={first !== null || undefined} role="status">
      {first === null
        ? state === "running"
          ? `${compared} of ${total} answers are as in “${of}”.`
          : compared === total
            ? `All ${total} answers are as in “${of}”.`
            : `The ${compared} answers up to here are as in “${of}”, which has ${total}.`
        : `Answer ${first.number} differs from “${of}”: ${first.what}.`}
      {first !== null && first.seq !== null && (
        <Button isSmall onClick={where}>
          Go there
        </Button>
      )}
      {state === "running" && (
        <Button isSmall onClick={() => void import("./run.ts").then(({ pauseReplay }) => pauseReplay())}>
          Stop here
        </Button>
      )}
    </span>
  );
}
