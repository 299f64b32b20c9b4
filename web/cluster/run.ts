// Opens and ends runs on the cluster. One at a time in a page: it is a branch of the recording that the lab shows.
import { asScript } from "../../shared/systems/leadership/onServer.ts";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../shared/systems/leadership/config.ts";
import { findBranch, lineOf, MAIN_BRANCH } from "../../shared/trace/recording.ts";
import { failureText } from "../http.ts";
import { setDriver } from "../state/driver.ts";
import { change, freeBranchId, hereOf, say, useLab } from "../state/store.ts";
import { createClusterApi, type ApiPage, type ClusterApi } from "./api.ts";
import { drive, type Driving } from "./drive.ts";
import { outcomesOf } from "./outcomes.ts";
import { useCluster } from "./store.ts";

export interface ClusterPage extends ApiPage {
  readonly setTimeout: (done: () => void, ms: number) => number;
  addEventListener(type: "pagehide", listener: () => void): void;
  removeEventListener(type: "pagehide", listener: () => void): void;
}

let isAsked = false;
let driving: Driving | null = null;
let endListening: (() => void) | null = null;
let client: { readonly page: ClusterPage; readonly api: ClusterApi } | null = null;

function apiOf(page: ClusterPage): ClusterApi {
  if (client?.page !== page) client = { page, api: createClusterApi(page) };
  return client.api;
}

// --- the cluster itself -------------------------------------------------------------------------------------------

/** Asks once what cluster there is, and what earlier runs left on it. */
export async function askCluster(page: ClusterPage): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  await takeState(page, apiOf(page).state());
}

/** Runs the preflight again. */
export async function checkCluster(page: ClusterPage): Promise<void> {
  await waitingFor("The preflight", () => takeState(page, apiOf(page).check()));
}

async function takeState(page: ClusterPage, asked: ReturnType<ClusterApi["state"]>): Promise<void> {
  const answer = await asked;
  if (!answer.ok) return useCluster.setState({ problem: failureText(answer) });
  useCluster.setState({ server: answer.value, problem: null });
  if (answer.value.kind === "on" && answer.value.preflight.ready) await askLeftovers(page);
}

async function askLeftovers(page: ClusterPage): Promise<void> {
  const answer = await apiOf(page).leftovers();
  if (answer.ok) useCluster.setState({ leftovers: answer.value.leftovers, leftoversAtMs: Date.now() });
  else useCluster.setState({ problem: failureText(answer) });
}

export async function deleteLeftovers(page: ClusterPage, uids: readonly string[]): Promise<void> {
  await waitingFor("The deletion", async () => {
    const answer = await apiOf(page).deleteLeftovers(uids);
    if (!answer.ok) return useCluster.setState({ problem: failureText(answer) });
    const { deleted } = answer.value;
    useCluster.setState({
      problem:
        deleted === uids.length
          ? null
          : `${uids.length - deleted} of them changed meanwhile and were left alone: somebody is at work on them.`,
    });
    await askLeftovers(page);
  });
}

async function waitingFor(what: string, work: () => Promise<void>): Promise<void> {
  if (useCluster.getState().waiting !== null) return;
  useCluster.setState({ waiting: what, problem: null });
  try {
    await work();
  } finally {
    useCluster.setState({ waiting: null });
  }
}

export const openDialog = (isOpen: boolean): void => useCluster.setState({ isOpen, problem: null });

// --- runs -----------------------------------------------------------------------------------------------------------

/** How a run follows the line that is looked at: by hand, or at once to its end while every answer is compared. */
export type Manner = "step" | "replay";

/** Starts a run that follows the branch that is looked at. True when it has begun. */
export async function startClusterRun(page: ClusterPage, manner: Manner): Promise<boolean> {
  let isStarted = false;
  await waitingFor("The run", async () => {
    isStarted = await begin(page, useLab.getState().moment.branch, manner);
  });
  return isStarted;
}

async function begin(page: ClusterPage, guide: string, manner: Manner): Promise<boolean> {
  const { server } = useCluster.getState();
  if (server.kind !== "on") return false;
  await leaveRun(page, "");
  const { recording, moment } = useLab.getState();
  const here = hereOf({ recording, moment: { branch: guide, cursor: moment.cursor } });
  if (here.origin.system.id !== "leadership") return false;
  const api = apiOf(page);
  const { lock } = here.origin.config as LeadershipConfig;
  const opened = await api.open(lock);
  if (!opened.ok) {
    useCluster.setState({ problem: failureText(opened) });
    return false;
  }
  // Meanwhile the user may have opened something else.
  if (useLab.getState().recording.origin !== recording.origin) {
    void api.close(opened.value.run);
    return false;
  }
  const script = asScript(lineOf(recording, guide) as readonly LeadershipAction[]);
  const name = findBranch(recording, guide)?.name ?? guide;
  const branch = freeBranchId(useLab.getState().recording);
  const fork = {
    id: branch,
    name: manner === "replay" ? `“${name}” again, on the cluster`.slice(0, 80) : "on the cluster",
    parent: MAIN_BRANCH,
    forkAt: 0,
    actions: [],
  };
  useLab.setState({ playing: false, asking: null });
  if (!change({ kind: "fork", branch: fork }, 0, branch)) {
    void api.close(opened.value.run);
    return false;
  }
  const id = opened.value.run;
  useLab.setState({ undoable: [] });
  useCluster.setState({
    isOpen: false,
    run: {
      id,
      lease: opened.value.lease,
      identity: server.identity,
      branch,
      script,
      at: 0,
      calling: null,
      manifest: undefined,
      replay: null,
    },
  });
  driving = drive({
    api,
    run: { id, branch, script },
    onEnd: (why) => void leaveRun(page, why),
    onReset: () => void restart(page),
    pauseMs: (ms) => new Promise((resolve) => page.setTimeout(resolve, ms)),
  });
  setDriver(driving);
  const onHide = (): void => {
    forget();
    api.closeOnLeaving(id);
  };
  page.addEventListener("pagehide", onHide);
  endListening = () => page.removeEventListener("pagehide", onHide);
  if (manner === "replay") driving.replay(name, outcomesOf(here.run.events));
  return true;
}

/** Stops driving; the run's Lease is somebody else's concern. */
function forget(): void {
  driving?.stop();
  driving = null;
  setDriver(null);
  endListening?.();
  endListening = null;
  useCluster.setState({ run: null });
}

/** Ends the run and deletes its Lease. `why`: for the user; empty when it was their own wish. */
export async function leaveRun(page: ClusterPage, why: string): Promise<void> {
  const { run } = useCluster.getState();
  if (run === null) return;
  forget();
  if (why !== "") say("error", why);
  const answer = await apiOf(page).close(run.id);
  // 404: it had ended already.
  if (!answer.ok && answer.status !== 404)
    say("error", `The Lease ${run.lease} could not be deleted: ${failureText(answer)}`);
}

/** The lab is reset: a new run on a new Lease, from the start of the script. */
async function restart(page: ClusterPage): Promise<void> {
  await leaveRun(page, "");
  await startOver(page);
}

async function startOver(page: ClusterPage): Promise<void> {
  if (!(await begin(page, MAIN_BRANCH, "step"))) {
    const { problem } = useCluster.getState();
    say("error", `The lab goes on in memory. ${problem ?? ""}`);
  }
}

export const pauseReplay = (): void => driving?.pause();
