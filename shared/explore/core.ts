// The explorer: every world that a configuration can come to, breadth first, within stated bounds.
//
// The intuition: level n holds everything that can be reached by n things happening, at whatever moments; waiting costs
// nothing. So the first violation found takes the fewest things to happen. Each level is done in two passes: first time
// passes from every state of it as far as it may (what it comes to belongs to the same level), then everything that can
// happen at these states is done, which fills the next level. Nothing is random and nothing depends on speed: the same
// question gives the same counts, whoever asks it.
import { present } from "../base/assert.ts";
import type { BaseAction } from "../systems/system.ts";
import { WAIT, type PathStep, type Space } from "./space.ts";
import { bytesAfterGrowth, createStore, insert, Insertion, storeBytes, type Store } from "./store.ts";
import type { Watch } from "./watch.ts";

/** What a search may use up. Horizon and depth bound what is asked; states and memory bound what it may cost. */
export interface Bounds {
  /** Virtual time that a path may take, in ms; null for no end. */
  readonly horizonMs: number | null;
  /** How many things may happen on a path, waiting not counted; null for no end. */
  readonly depth: number | null;
  readonly states: number;
  readonly memoryBytes: number;
}

export interface Counts {
  /** Distinct states. */
  readonly states: number;
  /** Successors looked at, waiting included. */
  readonly transitions: number;
  /** How many things had happened on the way to the deepest state gone on from. */
  readonly depth: number;
  /** States found and not gone on from. */
  readonly frontier: number;
  /** Largest number of states that took the same number of things. */
  readonly widest: number;
  /** States that had to be gone on from again, because they were met with more time left. */
  readonly again: number;
  /** Steps that the engine performed; the others were known from an equal local situation. */
  readonly performed: number;
  /** Bytes that the states take, and what is kept beside them. */
  readonly bytes: number;
}

export type Outcome =
  /** An invariant is broken; `actions` is a shortest way to it. */
  | {
      readonly kind: "violation";
      readonly invariant: string;
      readonly actions: readonly BaseAction[];
      /** How many of them happen; the others are waits. */
      readonly length: number;
      readonly spent: Readonly<Record<string, number>>;
    }
  /** Nothing is left to look at within the bounds. `cut`: how often a bound kept a path from going on; none: there is no more at all. */
  | { readonly kind: "exhausted"; readonly cut: { readonly horizon: number; readonly depth: number } }
  /** Something is left: nothing is known about it. */
  | { readonly kind: "stopped"; readonly by: "states" | "memory" | "user" };

export interface Core {
  readonly space: Space;
  readonly watch: Watch;
  readonly bounds: Bounds;
  readonly store: Store;
  /** `wait`: time passes from the states of the level. `act`: everything happens at them. */
  pass: "wait" | "act";
  level: number;
  /** First record of the level, and, while acting, one past its last. */
  from: number;
  end: number;
  /** The next record to look at. */
  cursor: number;
  transitions: number;
  widest: number;
  again: number;
  horizonCuts: number;
  depthCuts: number;
  outcome: Outcome | null;
}

export function createCore(space: Space, watch: Watch, bounds: Bounds): Core {
  const store = createStore(space.words, bounds.horizonMs !== null);
  insert(store, space.start, 0, -1, WAIT, 0, 0);
  return {
    space,
    watch,
    bounds,
    store,
    pass: "wait",
    level: 0,
    from: 0,
    end: 0,
    cursor: 0,
    transitions: 0,
    widest: 0,
    again: 0,
    horizonCuts: 0,
    depthCuts: 0,
    outcome: null,
  };
}

/** How many records are looked at between two looks at the bounds. */
const STRIDE = 256;

/** Goes on until about `records` more states have been looked at, or there is an outcome. */
export function advanceCore(core: Core, records: number): void {
  let left = records;
  while (core.outcome === null && left > 0) {
    const stride = Math.min(STRIDE, left);
    if (core.pass === "wait") waitPass(core, stride);
    else actPass(core, stride);
    left -= stride;
    if (core.outcome === null) checkBounds(core);
  }
}

function waitPass(core: Core, stride: number): void {
  const { space, store } = core;
  const { words, waited } = space;
  const { horizonMs } = core.bounds;
  for (let done = 0; done < stride; done += 1) {
    if (core.cursor === store.count) {
      core.pass = "act";
      core.end = store.count;
      core.cursor = core.from;
      core.widest = Math.max(core.widest, core.end - core.from);
      return;
    }
    const record = core.cursor;
    core.cursor += 1;
    const ms = space.wait(store.vectors, record * words);
    if (ms === 0) continue;
    core.transitions += 1;
    const timeMs = store.timed ? (store.times[record] as number) + ms : 0;
    if (horizonMs !== null && timeMs > horizonMs) {
      core.horizonCuts += 1;
      continue;
    }
    const insertion = insert(store, waited, 0, record, WAIT, timeMs, core.cursor);
    if (insertion === Insertion.earlier) core.again += 1;
  }
}

function actPass(core: Core, stride: number): void {
  const { space, store } = core;
  const { words, successors } = space;
  if (core.bounds.depth !== null && core.level >= core.bounds.depth) {
    // What could still happen here is beyond the bound.
    core.depthCuts += core.end - core.cursor;
    core.outcome = exhausted(core);
    return;
  }
  for (let done = 0; done < stride; done += 1) {
    if (core.cursor === core.end) {
      if (core.end === store.count) {
        core.outcome = exhausted(core);
        return;
      }
      core.level += 1;
      core.pass = "wait";
      core.from = core.end;
      core.cursor = core.end;
      return;
    }
    const record = core.cursor;
    core.cursor += 1;
    space.act(store.vectors, record * words);
    const timeMs = store.timed ? (store.times[record] as number) : 0;
    const { count, vectors, moves, broken } = successors;
    core.transitions += count;
    for (let index = 0; index < count; index += 1) {
      const move = moves[index] as number;
      const insertion = insert(store, vectors, index * words, record, move, timeMs, core.end);
      if (insertion === Insertion.earlier) core.again += 1;
      if ((broken[index] as number) >= 0) {
        core.outcome = violation(
          core,
          record,
          move,
          vectors.slice(index * words, (index + 1) * words),
          broken[index] as number,
        );
        return;
      }
    }
  }
}

function exhausted(core: Core): Outcome {
  return { kind: "exhausted", cut: { horizon: core.horizonCuts, depth: core.depthCuts } };
}

function checkBounds(core: Core): void {
  if (core.store.distinct >= core.bounds.states) core.outcome = { kind: "stopped", by: "states" };
  else if (neededBytes(core) > core.bounds.memoryBytes) core.outcome = { kind: "stopped", by: "memory" };
}

/** The store's arrays double, so what they will need is what counts. */
function neededBytes(core: Core): number {
  const { store } = core;
  const full = store.count + STRIDE * 64 >= store.parents.length;
  return core.space.bytes() + (full ? bytesAfterGrowth(store) : storeBytes(store));
}

export function stopCore(core: Core): void {
  core.outcome ??= { kind: "stopped", by: "user" };
}

export function countsOf(core: Core): Counts {
  const { store, space } = core;
  const left = core.pass === "wait" ? store.count - core.from : store.count - core.cursor;
  return {
    states: store.distinct,
    transitions: core.transitions,
    depth: core.level,
    frontier: core.outcome?.kind === "exhausted" ? 0 : left,
    widest: core.widest,
    again: core.again,
    performed: space.performed(),
    bytes: storeBytes(store) + space.bytes(),
  };
}

/** `sometimes` invariants that were reached nowhere. */
export const neverReachedOf = ({ watch }: Core): readonly string[] =>
  watch.invariants
    .filter(({ modality }, index) => modality === "sometimes" && watch.reached[index] !== true)
    .map(({ id }) => id);

function violation(core: Core, record: number, move: number, after: Int32Array, invariant: number): Outcome {
  const { space, store } = core;
  const path: PathStep[] = [{ before: vectorOf(store, record), move, after }];
  for (let at = record; (store.parents[at] as number) >= 0; at = store.parents[at] as number)
    path.push({
      before: vectorOf(store, store.parents[at] as number),
      move: store.moves[at] as number,
      after: vectorOf(store, at),
    });
  path.reverse();
  return {
    kind: "violation",
    invariant: present(core.watch.invariants[invariant], "a broken invariant is watched").id,
    actions: space.follow(path),
    length: path.filter((step) => step.move !== WAIT).length,
    spent: space.spent(after, 0),
  };
}

function vectorOf(store: Store, record: number): Int32Array {
  return store.vectors.slice(record * store.words, (record + 1) * store.words);
}
