// Whether a transcript is one that the machine could have written, and where it first is not.
//
// THE RULE OF COMPARISON. Equal means: some order of the moves of moves.ts writes exactly the transcript's lines, each
// with all its fields, in the transcript's order, each in its own millisecond, with none left over on either side. So free
// is only what Go leaves free:
//   - the jitter of the acquire loop: a waiting node's next attempt may come anywhere in [retry, 2.2 x retry];
//   - within one millisecond, the order of different goroutines: of nodes among each other, of a server's act and its
//     caller, of the callbacks `started` and `new-leader`, which run beside the elector but not before it calls them;
//   - at one and the same nanosecond, which of several things that are due (answer, deadline, tick, cancellation) is first.
// Causes come before their effects: one node's requests, answers and gave-ups keep their order, a commit comes after its
// request and before its answer, a write is judged by what was committed before it.
import type { Schedule } from "./schedule.ts";
import { happeningText, lineText, type Line } from "./transcript.ts";
import type { Lease } from "../../shared/protocol/lease/lease.ts";
import { movesOf } from "./moves.ts";
import type { Node } from "./node.ts";
import { atRest, createWorld, isOver, isSettled, nextMs, type World } from "./world.ts";

export interface Difference {
  /** Index of the first line that the machine cannot explain; the number of lines when it expects more. */
  readonly index: number;
  /** That line; null at the end of the transcript. */
  readonly found: Line | null;
  /** What the machine would have written there instead: any of these. Empty for nothing more. */
  readonly expected: readonly string[];
}

/** Null when the transcript equals what the machine does on this schedule. */
export function firstDifference(schedule: Schedule, lines: readonly Line[]): Difference | null {
  const search = new Search(schedule, lines);
  let frontier: readonly World[] = [createWorld(schedule)];
  let index = 0;
  for (;;) {
    if (index === lines.length && frontier.some(isOver)) return null;
    const lineMs = lines[index]?.atMs ?? Infinity;
    const dueMs = Math.min(...frontier.map((world) => nextMs(schedule, world)));
    const ms = Math.min(lineMs, dueMs);
    if (ms === Infinity) return search.difference(frontier);
    const reached = search.instant(frontier, index, ms);
    if (reached.worlds.length === 0) return search.difference(frontier);
    frontier = reached.worlds;
    index = reached.index;
  }
}

class Search {
  readonly #schedule: Schedule;
  readonly #lines: readonly Line[];
  readonly #plans: readonly string[];
  readonly #parts = new WeakMap<object, string>();
  /** The furthest line that was reached, and what could have been written there. */
  #furthest = 0;
  #proposals = new Set<string>();

  constructor(schedule: Schedule, lines: readonly Line[]) {
    this.#schedule = schedule;
    this.#lines = lines;
    this.#plans = schedule.nodes.map((plan) => JSON.stringify(plan));
  }

  /** All worlds in which this millisecond is over and exactly its lines were written. */
  instant(
    worlds: readonly World[],
    from: number,
    ms: number,
  ): { readonly worlds: readonly World[]; readonly index: number } {
    let end = from;
    while (this.#lines[end]?.atMs === ms) end += 1;
    const ended = new Map<string, World>();
    const seen = new Set<string>();
    const open: (readonly [World, number])[] = worlds.map((world) => [world, from]);
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      const [world, index] = entry;
      const key = `${index} ${this.#key(world)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      this.#reach(index);
      if (index === end && (isSettled(this.#schedule, world, ms) || isOver(world))) {
        const rested = atRest(world);
        ended.set(this.#key(rested), rested);
      }
      for (const { says, next } of movesOf(this.#schedule, world, ms).toReversed()) {
        if (says === null) open.push([next(), index]);
        else {
          const line = { atMs: ms, happening: says };
          const found = this.#lines[index];
          if (index < end && found !== undefined && happeningText(found.happening) === happeningText(says))
            open.push([next(), index + 1]);
          else if (index === this.#furthest) this.#proposals.add(lineText(line));
        }
      }
    }
    return { worlds: [...ended.values()], index: end };
  }

  #reach(index: number): void {
    if (index <= this.#furthest) return;
    this.#furthest = index;
    this.#proposals = new Set();
  }

  /** Looks ahead from the last worlds that agreed for what they would have written next. */
  difference(frontier: readonly World[]): Difference {
    let worlds = frontier;
    for (let instants = 0; instants < 100 && this.#proposals.size === 0; instants += 1) {
      const ms = Math.min(...worlds.map((world) => nextMs(this.#schedule, world)));
      if (ms === Infinity || worlds.length === 0) break;
      worlds = this.instant(worlds, this.#lines.length, ms).worlds;
    }
    const due = this.#proposals.size > 0;
    for (const [index, node] of (frontier[0]?.nodes ?? []).entries())
      if (node.sleep !== null && !due) {
        const [from, to] = [node.sleep.fromNs, node.sleep.toNs].map((ns) => Math.floor(ns / 1e6) / 1000);
        const id = JSON.stringify(this.#schedule.nodes[index]?.id);
        this.#proposals.add(`a new attempt of ${id} between t=${from} and t=${to}, as its jitter is drawn`);
      }
    const index = this.#furthest;
    return { index, found: this.#lines[index] ?? null, expected: [...this.#proposals] };
  }

  /** Nodes of one plan are interchangeable: two processes of one name cannot be told apart in a transcript. */
  #key(world: World): string {
    const nodes = world.nodes.map((node, index) => `${this.#plans[index]} ${this.#part(node)}`);
    return [world.end, this.#part(world.versions.at(-1) ?? null), ...nodes.toSorted()].join("\n");
  }

  #part(value: Node | Lease | null): string {
    if (value === null) return "";
    const known = this.#parts.get(value);
    if (known !== undefined) return known;
    const key = "elector" in value ? nodeKey(value) : JSON.stringify(value);
    this.#parts.set(value, key);
    return key;
  }
}

/** How many calls an elector has made does not matter, only which of those that are under way is which. */
function nodeKey(node: Node): string {
  const nextCall = node.elector?.nextCall ?? 0;
  const elector = node.elector === null ? null : { ...node.elector, config: null, nextCall: 0 };
  return JSON.stringify({ ...node, elector }, (name, value: unknown) =>
    name === "call" && typeof value === "number" ? nextCall - value : value,
  );
}
