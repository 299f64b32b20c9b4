// Drives one branch on a cluster: every action whose part belongs to the API server is performed there first, one call at a
// time, and recorded with what came of it. What others write to the Lease is recorded in the order in which the server saw it.
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import { serverPart, type ServerPart } from "../../shared/systems/leadership/onServer.ts";
import { leadership } from "../../shared/systems/leadership/system.ts";
import type { LeadershipWorld } from "../../shared/systems/leadership/world.ts";
import type { BaseAction } from "../../shared/systems/system.ts";
import { applyChange } from "../../shared/trace/change.ts";
import { lineOf } from "../../shared/trace/recording.ts";
import { failureText, type Answer } from "../http.ts";
import { lineRun, originOf, sharedLength, type LabRun } from "../state/derive.ts";
import type { Driver } from "../state/driver.ts";
import { say, setPlaying, useLab } from "../state/store.ts";
import type { CallOrder, ClusterApi, ForeignWrite } from "./api.ts";
import { firstDivergence, outcomesOf, type Outcome } from "./outcomes.ts";
import { changeRun, exchangeKey, useCluster, type RunView } from "./store.ts";

export interface Driving extends Driver {
  /** Plays the script to its end and compares every answer with a recorded line's. */
  replay(name: string, recorded: readonly Outcome[]): void;
  /** Gives up what is under way after the present call. */
  pause(): void;
  /** Stops listening and driving. What was recorded stays. */
  stop(): void;
}

export interface DriveDeps {
  readonly api: ClusterApi;
  readonly run: Pick<RunView, "id" | "branch" | "script">;
  /** The run cannot go on: with the reason, for the user. */
  readonly onEnd: (why: string) => void;
  readonly onReset: () => void;
  readonly pauseMs: (ms: number) => Promise<void>;
}

/** Natural steps without an event, at most, before a step gives up waiting for one. */
const QUIET_MAX = 1000;
/** Waits before a call is sent again, under its number, because the lab's own server did not answer. */
const RETRY_MS = [500, 1500, 4000];

export function drive({ api, run, onEnd, onReset, pauseMs }: DriveDeps): Driving {
  const { id, branch, script } = run;
  let isStopped = false;
  let isBusy = false;
  let isPaused = false;
  let number = 0;
  let newestForeign = 0;
  let heard: readonly ForeignWrite[] = [];
  /** The line as this driver has made it. */
  let line: readonly BaseAction[] = [];

  const stopListening = api.listen(id, {
    foreign(write) {
      heard = [...heard, write];
      if (!isBusy) takeHeard();
    },
    ended: onEnd,
  });
  const unsubscribe = useLab.subscribe((now, before) => {
    if (now.recording === before.recording || isStopped) return;
    const actions = lineOf(now.recording, branch);
    const isOurs =
      JSON.stringify(now.recording.origin) === JSON.stringify(before.recording.origin) &&
      now.recording.branches.some((each) => each.id === branch) &&
      actions.length === line.length &&
      sharedLength(actions, line) === line.length;
    if (!isOurs) onEnd("");
  });

  /** The run of the branch so far; its last world is where it stands. */
  function so(): LabRun {
    const { recording } = useLab.getState();
    const origin = originOf(recording);
    if (!origin.ok) throw new Error("a recording that is shown has an origin");
    return lineRun(origin.value, recording, branch).run;
  }
  const world = (): LeadershipWorld => so().worlds.at(-1) as LeadershipWorld;

  /** Adds to the line. The cursor goes along when it stood at its end. Gives how many events it brought. */
  function append(...actions: readonly LeadershipAction[]): number {
    const { recording, moment } = useLab.getState();
    const at = line.length;
    const changed = applyChange(recording, { kind: "append", branch, at, actions });
    if (!changed.ok) throw new Error("the branch is there, and as long as it was made");
    const events = so().events.length;
    line = [...line, ...actions];
    const follows = moment.branch === branch && moment.cursor === at;
    useLab.setState({
      recording: changed.value,
      ...(follows ? { moment: { branch, cursor: line.length }, selected: null } : {}),
    });
    return so().events.length - events;
  }

  /** Records what others wrote; each once, in order. */
  function take(writes: readonly ForeignWrite[]): void {
    for (const { index, lease, whose } of writes) {
      if (index <= newestForeign) continue;
      newestForeign = index;
      append({ kind: "foreign-write", lease, ...(whose === "own" ? { whose } : {}) });
      const event = so().events.at(-1);
      if (event !== undefined) say("info", leadership.narrate(event));
    }
  }

  function takeHeard(): void {
    const writes = heard;
    heard = [];
    if (isStopped || writes.length === 0) return;
    take(writes);
    void look();
  }

  /** Shows the Lease as the server has it. */
  async function look(): Promise<void> {
    const answer = await api.lease(id);
    if (answer.ok && !isStopped) changeRun({ manifest: answer.value.manifest ?? null });
  }

  /** Makes a call; sent again under its number when only the lab's own server was silent. Null: it was not made. */
  async function call<T>(make: (order: CallOrder) => Promise<Answer<T>>): Promise<T | null> {
    number += 1;
    const order = { call: number, after: newestForeign };
    for (let attempt = 0; !isStopped; attempt += 1) {
      const answer = await make(order);
      if (isStopped) return null;
      if (answer.ok) return answer.value;
      const waitMs = RETRY_MS[attempt];
      if (answer.status !== 0 && answer.status !== 429) {
        if (answer.status === 404) onEnd(failureText(answer));
        else say("error", failureText(answer));
        return null;
      }
      if (waitMs === undefined) {
        onEnd(`${failureText(answer)} The run cannot go on: whether its last request was made is not known.`);
        return null;
      }
      await pauseMs(waitMs);
    }
    return null;
  }

  /** Performs one action. Null: it was not done, and why has been said; else how many events it brought. */
  async function perform(action: LeadershipAction): Promise<number | null> {
    const part = serverPart(world(), action);
    if (part === null) return append(action);
    changeRun({ calling: callingText(part) });
    if (part.kind === "edit") {
      const edited = await call((order) => api.edit(id, order, part.edit));
      if (edited === null) return null;
      take(edited.foreign);
      return append({ kind: "foreign-write", lease: edited.lease });
    }
    const answer = await call((order) => api.serve(id, order, part.request));
    if (answer === null || action.kind !== "deliver") return null;
    const { served, exchange, foreign } = answer;
    take(foreign);
    const key = exchangeKey(action.message, served);
    useCluster.setState(({ exchanges }) => ({ exchanges: new Map(exchanges).set(key, exchange) }));
    return append({ kind: "deliver", message: action.message, served });
  }

  /** What happens next when nobody interferes: the script's next action while it still fits, else what is due. */
  function next(): LeadershipAction | null {
    const at = useCluster.getState().run?.at ?? null;
    const scripted = at === null ? undefined : script[at];
    if (scripted === undefined) return leadership.next(world());
    const refusal = leadership.refusal(world(), scripted);
    if (refusal === null) return scripted;
    changeRun({ at: null });
    say("info", `From here the line goes another way than its script: ${refusal}`);
    setPlaying(false);
    return leadership.next(world());
  }

  /** Counts a done action of the script. */
  function countScripted(action: LeadershipAction): void {
    const at = useCluster.getState().run?.at ?? null;
    const scripted = at === null ? undefined : script[at];
    if (at === null || scripted === undefined || JSON.stringify(scripted) !== JSON.stringify(action)) return;
    changeRun({ at: at + 1 });
  }

  /** One thing at a time: a second request for something while a call is out is not taken on. */
  async function work(job: () => Promise<void>): Promise<void> {
    isBusy = true;
    isPaused = false;
    try {
      await job();
    } finally {
      isBusy = false;
      changeRun({ calling: null });
      takeHeard();
      if (!isStopped) void look();
    }
  }

  async function doAll(actions: readonly LeadershipAction[]): Promise<void> {
    for (const action of actions) {
      // Something else may have been recorded in between.
      const refusal = leadership.refusal(world(), action);
      if (refusal !== null) return say("error", `This cannot happen now. ${refusal}`);
      if ((await perform(action)) === null) return;
      countScripted(action);
    }
  }

  async function stepOnce(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_MAX && !isStopped; quiet += 1) {
      const action = next();
      if (action === null) {
        setPlaying(false);
        return say(
          "info",
          "Nothing is left to happen by itself. Choose what could happen next, or break something.",
        );
      }
      const events = await perform(action);
      if (events === null) return setPlaying(false);
      countScripted(action);
      if (useCluster.getState().run?.at === script.length && script.length > 0) setPlaying(false);
      if (events > 0) return;
    }
  }

  async function replayAll(name: string, recorded: readonly Outcome[]): Promise<void> {
    const compare = (state: "running" | "done"): void => {
      const now = outcomesOf(so().events);
      changeRun({
        replay: {
          of: name,
          state,
          compared: Math.min(now.length, recorded.length),
          total: recorded.length,
          first: firstDivergence(recorded, now),
        },
      });
    };
    compare("running");
    while (!isStopped && !isPaused) {
      const at = useCluster.getState().run?.at ?? null;
      const action = at === null ? undefined : script[at];
      if (action === undefined) break;
      const refusal = leadership.refusal(world(), action);
      if (refusal !== null) {
        changeRun({ at: null });
        say("info", `The line cannot be followed to its end. ${refusal}`);
        break;
      }
      if ((await perform(action)) === null) break;
      countScripted(action);
      compare("running");
    }
    if (!isStopped) compare("done");
  }

  return {
    branch,
    act(actions) {
      if (isBusy) {
        say("info", "A call is out at the API server. One thing at a time.");
        return false;
      }
      useLab.setState({ notice: null });
      // The lab's store holds actions of whatever system; this branch is one of the leadership system.
      void work(() => doAll(actions as readonly LeadershipAction[]));
      return true;
    },
    goOn() {
      if (isBusy) return true;
      useLab.setState({ notice: null });
      void work(stepOnce);
      return true;
    },
    reset: onReset,
    replay(name, recorded) {
      if (!isBusy) void work(() => replayAll(name, recorded));
    },
    pause() {
      isPaused = true;
    },
    stop() {
      isStopped = true;
      stopListening();
      unsubscribe();
    },
  };
}

function callingText(part: ServerPart): string {
  return part.kind === "request" ? `${part.node}'s ${part.purpose} request` : "the edit of the Lease";
}
