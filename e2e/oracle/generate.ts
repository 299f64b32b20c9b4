// Random schedules from a seed, to be recorded with the real client-go and compared.
// `npx tsx e2e/oracle/generate.ts SEED COUNT > schedules.json`; equal seeds give equal schedules.
import type { Fault, NodePlan, Schedule } from "./schedule.ts";

/** Mulberry32: a small seeded generator, uniform in [0, 1). */
function diceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Timings = readonly [lease: number, deadline: number, retry: number];

const USUAL: readonly Timings[] = [
  [15, 10, 2],
  [15, 10, 2],
  [15, 10, 3],
  [6, 4, 1],
  [3, 2, 0.5],
  [11, 10, 8],
  [60, 30, 5],
];

/** Cut to whole seconds when written, or to 0; or a float that Go cuts one nanosecond short. */
const UNEVEN: readonly Timings[] = [
  [1.9, 1.5, 0.4],
  [0.9, 0.6, 0.2],
  [4.35, 3.3, 1.001],
  [2.001, 1.101, 0.3],
  [7.3, 4.6, 1.1],
  [5, 2.4, 2],
  [0.25, 0.1, 0.05],
];

const REFUSED: readonly Timings[] = [
  [10, 10, 2],
  [15, 2.4, 2],
  [15, 12, 10],
  [0, 0, 0],
  [15, 10, 0],
  [15, 0, 0],
  [10, 15, 2],
  [15, 10, -1],
  [15, -1, -2],
  [-1, -2, -3],
];

const CODES: readonly number[] = [400, 401, 403, 404, 404, 409, 409, 409, 422, 429, 500, 500, 503, 504];

class Generator {
  readonly #dice: () => number;

  constructor(seed: number) {
    this.#dice = diceOf(seed);
  }

  schedule(name: string): Schedule {
    const dice = this.#dice;
    const until = this.#pick([5, 12, 20, 30, 30, 45, 60, 60, 90]);
    const count = this.#pick([1, 1, 2, 2, 2, 2, 3, 3, 4, 5]);
    const shared = this.#timings();
    const unequal = dice() < 0.35;
    const nodes = Array.from({ length: count }, (_, index) =>
      this.#node(index, unequal ? this.#timings() : shared, until),
    );
    const faults = Array.from({ length: this.#pick([0, 1, 1, 2, 2, 3, 4, 6]) }, () =>
      this.#fault(nodes, until),
    );
    return { name, nodes, faults, until };
  }

  #node(index: number, [lease, deadline, retry]: Timings, until: number): NodePlan {
    const dice = this.#dice;
    const letters = ["a", "b", "c", "d", "e"];
    const id = dice() < 0.05 ? "a" : dice() < 0.02 ? "" : (letters[index] ?? "z");
    const start = dice() < 0.3 ? index : dice() < 0.1 ? until + dice() * 3 : this.#time(Math.min(until, 12));
    const releaseAt = dice() < 0.5 ? 0 : dice() < 0.1 ? until : dice() < 0.05 ? until + 5 : this.#time(until);
    return { id, start, lease, deadline, retry, releaseAt, release: dice() < 0.5 };
  }

  #fault(nodes: readonly NodePlan[], until: number): Fault {
    const dice = this.#dice;
    const from = this.#time(until);
    const length = this.#pick([0.5, 2, 3, 7, 12, 20, 40, 100]);
    const node = this.#pick(nodes).id;
    const verb = this.#pick(["*", "*", "get", "create", "update", "update"]);
    const lasts = { delay: 0, late: 0, lose: "", code: 0 };
    if (dice() < 0.45) lasts.delay = this.#pause();
    if (dice() < 0.35) lasts.late = this.#pause();
    if (dice() < 0.35) lasts.lose = this.#pick(["request", "answer"]);
    if (dice() < 0.4) lasts.code = this.#pick(CODES);
    return { node, from, to: from + length, verb, ...lasts };
  }

  #timings(): Timings {
    const draw = this.#dice();
    return this.#pick(draw < 0.6 ? USUAL : draw < 0.96 ? UNEVEN : REFUSED);
  }

  /** Whole seconds are likely, so that several things fall due at one instant. */
  #time(below: number): number {
    const dice = this.#dice;
    const time = dice() * below;
    return dice() < 0.5 ? Math.floor(time) : Math.floor(time * 1000) / 1000;
  }

  #pause(): number {
    return this.#pick([0.001, 0.05, 0.3, 0.5, 1, 1.001, 2, 2.3, 3, 4.9, 8, 10, 12, 16, 25]);
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.#dice() * choices.length)];
    if (choice === undefined) throw new Error("There is nothing to pick from.");
    return choice;
  }
}

/** Written in the oracle's own field names. */
const inOracleFormat = ({ name, nodes, faults, until }: Schedule): object => ({
  Name: name,
  Nodes: nodes.map(({ id, start, lease, deadline, retry, releaseAt, release }) => ({
    ID: id,
    Start: start,
    Lease: lease,
    Deadline: deadline,
    Retry: retry,
    ReleaseAt: releaseAt,
    Release: release,
  })),
  Faults: faults,
  Until: until,
});

function main(args: readonly string[]): number {
  const [seed, count] = args.map(Number);
  if (seed === undefined || count === undefined || !Number.isInteger(seed) || !(count > 0)) {
    console.error(`Expected a whole SEED and a COUNT above 0, got ${JSON.stringify(args)}.`);
    console.error("Usage: npx tsx e2e/oracle/generate.ts SEED COUNT > schedules.json");
    return 2;
  }
  const generator = new Generator(seed);
  const schedules = Array.from({ length: count }, (_, index) =>
    generator.schedule(`random-${seed}-${index + 1}`),
  );
  console.log(`[\n${schedules.map((schedule) => JSON.stringify(inOracleFormat(schedule))).join(",\n")}\n]`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
