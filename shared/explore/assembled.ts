// A space of worlds taken apart: a state is the numbers of its parts. Each distinct local step is performed by the engine
// once, on a world that has only the parts it touches, and is looked up from then on; so is what time does to a part. What
// a lookup gives is what the engine would do: `assembled.test.ts` compares the two on whole worlds, step by step.
import { assert, present } from "../base/assert.ts";
import type { Event } from "../systems/event.ts";
import { BAG, type Assembly, type Look, type Loose, type Part, type Placed } from "../systems/search.ts";
import type { BaseAction, System } from "../systems/system.ts";
import { hasLeft, planBudgets, spend, spentByName } from "./budget.ts";
import { createMemo, memoBytes, recall, recall2, remember, remember2 } from "./memo.ts";
import { createSuccessors, nextSuccessor, WAIT, type PathStep, type Space } from "./space.ts";
import { laterSet, observe } from "./watch.ts";
import { chosen, rebased, type SpacePlan } from "./whole.ts";

/** A local move with everything that does not depend on the rest of the state worked out. */
interface Move<Action> {
  readonly id: number;
  readonly action: Action;
  readonly slot: number;
  readonly part: number;
  /** Which of the things put off it is; -1 for none. */
  readonly due: number;
  /** Position of the budget that it is counted against; -1 for none. */
  readonly budget: number;
  readonly looksAtBounds: boolean;
}

interface CompiledLook<Action> {
  readonly moves: readonly Move<Action>[];
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
  readonly timeless: boolean;
  readonly floorMs: number;
  readonly cycleMs: number;
  readonly still: boolean;
  readonly waitsFor: number;
  /** Positions of budgets. */
  readonly momentous: readonly number[];
}

/** What a local step does. */
interface Effect {
  /** Slots that it was given or has written: what is renamed elsewhere is renamed in them already. */
  readonly touched: readonly number[];
  /** Those of them that have changed: slot, part, reference told from now; one after the other. */
  readonly changes: readonly number[];
  /** What it does to the bag; -1 for nothing. */
  readonly exchange: number;
  /** What it renames everywhere else; -1 for nothing. */
  readonly renaming: number;
  readonly events: readonly Event[];
}

/** What a step does to the bag. */
interface Exchange {
  readonly renaming: number;
  readonly added: readonly Entry[];
}

/** A part of the bag by number: part, reference, first and last moment, the last three told from now. */
type Entry = readonly [part: number, atMs: number, earliestMs: number, latestMs: number];
const ENTRY = 4;

export interface AssembledSpace<World> extends Space {
  /** The world of a vector. */
  worldOf(vectors: Int32Array, offset: number): World;
  /** The part of a vector that the world decides: reading, slots and bag. */
  vectorOf(world: World): Int32Array;
  /** The action of a successor of the last `act` in the world that {@link worldOf} gives. */
  actionOf(successor: number): BaseAction;
  /** How many distinct parts there are. */
  partCount(): number;
}

export function assembledSpace<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  assembly: Assembly<World, Action>,
  plan: SpacePlan<World, Action>,
): AssembledSpace<World> {
  const { watch, unitMs } = plan;
  const budgets = planBudgets(plan.faults);
  const slotCount = assembly.slots.length;
  // A vector: the reading of the clock, the parts in their slots, the references of those that have one, the bag, the
  // memories, what was spent.
  const NOW = 0;
  const SLOT = 1;
  const AT = SLOT + slotCount;
  const atPlaces = Int32Array.from(assembly.dated, () => -1);
  let dated = 0;
  assembly.dated.forEach((is, slot) => {
    if (!is) return;
    atPlaces[slot] = AT + dated;
    dated += 1;
  });
  const BAG_AT = AT + dated;
  const MEMORIES = BAG_AT + 1;
  const SPENT = BAG_AT + 2;
  const words = BAG_AT + 3;
  const { absolute } = assembly;
  /** The reference of a slot's part, told from now. */
  const atOf = (vectors: Int32Array, offset: number, slot: number): number => {
    const place = atPlaces[slot] as number;
    return place >= 0
      ? (vectors[offset + place] as number)
      : absolute
        ? -(vectors[offset + NOW] as number)
        : 0;
  };

  // --- parts, bags, operations by number ---------------------------------------------------------------------------

  const parts: Part[] = [];
  const partSlots: number[] = [];
  const partIds = Array.from({ length: slotCount + 1 }, () => new Map<string, number>());
  let partBytes = 0;
  const internPart = (slot: number, part: Part): number => {
    const ids = partIds[slot + 1] as Map<string, number>;
    const key = JSON.stringify(part);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = parts.length;
    parts.push(part);
    partSlots.push(slot);
    ids.set(key, id);
    partBytes += key.length * 4;
    return id;
  };
  const partAt = (id: number): Part => parts[id] as Part;

  const bags: Int32Array[] = [];
  const bagIds = new Map<string, number>();
  const internBag = (entries: Entry[]): number => {
    entries.sort(
      (left, right) => left[0] - right[0] || left[1] - right[1] || left[2] - right[2] || left[3] - right[3],
    );
    const key = entries.join();
    const known = bagIds.get(key);
    if (known !== undefined) return known;
    const id = bags.length;
    bags.push(Int32Array.from(entries.flat()));
    bagIds.set(key, id);
    return id;
  };
  const entriesOf = (bag: number): Entry[] => {
    const flat = bags[bag] as Int32Array;
    return Array.from(
      { length: flat.length / ENTRY },
      (_, index) => Array.from(flat.subarray(index * ENTRY, (index + 1) * ENTRY)) as unknown as Entry,
    );
  };
  const entryOf = ({ part, atMs, earliestMs, latestMs }: Loose): Entry => [
    internPart(BAG, part),
    atMs,
    earliestMs,
    latestMs,
  ];

  const interner = <Value>() => {
    const values: Value[] = [];
    const ids = new Map<string, number>();
    return {
      values,
      id(value: Value): number {
        const key = JSON.stringify(value);
        const known = ids.get(key);
        if (known !== undefined) return known;
        ids.set(key, values.length);
        return values.push(value) - 1;
      },
    };
  };
  const renamings = interner<object>();
  const exchanges = interner<Exchange>();

  // --- what is done to parts and bags, remembered ------------------------------------------------------------------

  const renameMemo = createMemo(2);
  const exchangeMemo = createMemo(3);
  const exchangeKey = new Int32Array(3);
  const bagLaterMemo = createMemo(2);
  const memoryMemo = createMemo(2);

  const renamed = (part: number, renaming: number): number => {
    const known = recall2(renameMemo, part, renaming);
    if (known >= 0) return known;
    const slot = partSlots[part] as number;
    const result = internPart(
      slot,
      assembly.rename(slot, partAt(part), renamings.values[renaming] as object),
    );
    remember2(renameMemo, part, renaming, result);
    return result;
  };

  /** `taken`: the position in the flat bag of what the step took out of it; -1 for nothing. */
  const exchanged = (bag: number, taken: number, exchange: number): number => {
    exchangeKey[0] = bag;
    exchangeKey[1] = taken;
    exchangeKey[2] = exchange;
    const known = recall(exchangeMemo, exchangeKey);
    if (known >= 0) return known;
    const { renaming, added } = exchanges.values[exchange] as Exchange;
    const entries = entriesOf(bag);
    if (taken >= 0) entries.splice(taken / ENTRY, 1);
    const kept =
      renaming < 0 ? entries : entries.map(([part, ...rest]): Entry => [renamed(part, renaming), ...rest]);
    const result = internBag([...kept, ...added]);
    exchangeKey[0] = bag;
    exchangeKey[1] = taken;
    exchangeKey[2] = exchange;
    remember(exchangeMemo, exchangeKey, result);
    return result;
  };

  const bagLater = (bag: number, forMs: number): number => {
    const known = recall2(bagLaterMemo, bag, forMs);
    if (known >= 0) return known;
    const result = internBag(
      entriesOf(bag).map(([part, atMs, earliestMs, latestMs]): Entry => [
        part,
        lookAt(part).timeless ? 0 : atMs - forMs,
        Math.max(0, earliestMs - forMs),
        Math.max(0, latestMs - forMs),
      ]),
    );
    remember2(bagLaterMemo, bag, forMs, result);
    return result;
  };

  // --- looks and effects -------------------------------------------------------------------------------------------

  const looks: (CompiledLook<Action> | undefined)[] = [];
  let moveCount = 0;
  const lookAt = (part: number): CompiledLook<Action> => looks[part] ?? compile(part);

  function compile(part: number): CompiledLook<Action> {
    const slot = partSlots[part] as number;
    const look: Look<Action> = assembly.look(slot, partAt(part));
    const moves: Move<Action>[] = [];
    for (const { action, due, looksAtBounds } of look.moves) {
      const choice = chosen(system, budgets, action);
      if (choice.kind === "forbidden" || choice.kind === "time") continue;
      moves.push({
        id: moveCount,
        action,
        slot,
        part,
        due: due ?? -1,
        budget: choice.kind === "budget" ? choice.index : -1,
        looksAtBounds,
      });
      moveCount += 1;
    }
    const compiled: CompiledLook<Action> = {
      moves,
      earliest: Float64Array.from(look.pending, ([earliestMs]) => earliestMs),
      latest: Float64Array.from(look.pending, ([, latestMs]) => latestMs),
      timeless: look.timeless || absolute,
      floorMs: look.floorMs,
      cycleMs: look.cycleMs,
      still: look.still,
      waitsFor: look.waitsFor,
      momentous: look.momentous.map((name) => budgets.names.indexOf(name)).filter((index) => index >= 0),
    };
    looks[part] = compiled;
    return compiled;
  }

  // --- effects -----------------------------------------------------------------------------------------------------

  // A local step is found by what it asked about, in the order in which it asked: first its own part and what every step
  // is given, then whatever it asked about next. The questions form trees, one for each move, whose leaves are effects.

  const effects: Effect[] = [];
  /** By tree node: the slot that the step asks about next, or -1 - the effect. */
  const asks: number[] = [];
  const rootMemo = createMemo(6);
  const rootKey = new Int32Array(6);
  const branchMemo = createMemo(3);
  const branchKey = new Int32Array(3);

  /** `bag` and `entry`: the flat bag and the position in it of the part that moves; null for a slot's part. */
  function effectOf(
    move: Move<Action>,
    vectors: Int32Array,
    offset: number,
    bag: Int32Array | null,
    entry: number,
  ): number {
    const bounds = bag !== null && move.looksAtBounds;
    rootKey[0] = move.id;
    rootKey[1] = vectors[offset + NOW] as number;
    rootKey[2] = bag === null ? atOf(vectors, offset, move.slot) : (bag[entry + 1] as number);
    rootKey[3] = bounds ? (bag[entry + 2] as number) : 0;
    rootKey[4] = bounds ? (bag[entry + 3] as number) : 0;
    rootKey[5] = assembly.always < 0 ? 0 : (vectors[offset + SLOT + assembly.always] as number);
    let node = recall(rootMemo, rootKey);
    if (node < 0) return perform(move, vectors, offset, bag, entry);
    for (;;) {
      const slot = asks[node] as number;
      if (slot < 0) return -1 - slot;
      branchKey[0] = node;
      branchKey[1] = vectors[offset + SLOT + slot] as number;
      branchKey[2] = atOf(vectors, offset, slot);
      node = recall(branchMemo, branchKey);
      if (node < 0) return perform(move, vectors, offset, bag, entry);
    }
  }

  /** Lets the engine make a step and plants what it asked about into the tree of the move. `rootKey` is the move's. */
  function perform(
    move: Move<Action>,
    vectors: Int32Array,
    offset: number,
    bag: Int32Array | null,
    entry: number,
  ): number {
    const slots = Array.from({ length: slotCount }, (_, slot) => placedAt(vectors, offset, slot));
    const known = [move.slot, assembly.always].filter((slot) => slot >= 0);
    const asked: number[] = [];
    const hear = (slot: number): void => {
      if (!known.includes(slot) && !asked.includes(slot)) asked.push(slot);
    };
    const before = assembly.watched(
      vectors[offset + NOW] as number,
      slots,
      bag === null ? [] : [looseOf(entryAt(bag, entry))],
      hear,
    );
    const step = system.step(before, move.action);
    const settled = assembly.settle(before, step.world, [...new Set([...known, ...asked])]);
    const renaming = settled.renaming === null ? -1 : renamings.id(settled.renaming);
    const added = settled.bag.map(entryOf);
    const effect = effects.length;
    effects.push({
      touched: settled.slots.map(([slot]) => slot),
      changes: settled.slots.flatMap(([slot, { part, atMs }]) => {
        const id = internPart(slot, part);
        const same = id === vectors[offset + SLOT + slot] && atMs === atOf(vectors, offset, slot);
        // What was written without a look at it is written whatever was there.
        const looked = known.includes(slot) || asked.includes(slot);
        return same && looked ? [] : [slot, id, atMs];
      }),
      exchange: bag !== null || added.length > 0 || renaming >= 0 ? exchanges.id({ renaming, added }) : -1,
      renaming,
      events: rebased(step.events),
    });
    plant(vectors, offset, asked, effect);
    return effect;
  }

  function plant(vectors: Int32Array, offset: number, asked: readonly number[], effect: number): void {
    const tell = (node: number, depth: number): void => {
      const what = asked[depth] ?? -1 - effect;
      assert(asks[node] === undefined || asks[node] === what, "equal steps ask about equal things");
      asks[node] = what;
    };
    let node = recall(rootMemo, rootKey);
    if (node < 0) {
      node = asks.length;
      remember(rootMemo, rootKey, node);
    }
    tell(node, 0);
    asked.forEach((slot, depth) => {
      branchKey[0] = node;
      branchKey[1] = vectors[offset + SLOT + slot] as number;
      branchKey[2] = atOf(vectors, offset, slot);
      let next = recall(branchMemo, branchKey);
      if (next < 0) {
        next = asks.length;
        remember(branchMemo, branchKey, next);
      }
      node = next;
      tell(node, depth + 1);
    });
  }

  function placedAt(vectors: Int32Array, offset: number, slot: number): Placed {
    return {
      part: partAt(vectors[offset + SLOT + slot] as number),
      atMs: atOf(vectors, offset, slot),
    };
  }

  const entryAt = (bag: Int32Array, entry: number): Entry =>
    Array.from(bag.subarray(entry, entry + ENTRY)) as unknown as Entry;

  function looseOf([part, atMs, earliestMs, latestMs]: Entry): Loose {
    return { part: partAt(part), atMs, earliestMs, latestMs };
  }

  const memoriesAfter = (memories: number, effect: number): number => {
    const { events } = effects[effect] as Effect;
    if (events.length === 0) return memories;
    const known = recall2(memoryMemo, memories, effect);
    if (known >= 0) return known;
    const result = observe(watch, memories, events);
    remember2(memoryMemo, memories, effect, result);
    return result;
  };

  // --- the graph -----------------------------------------------------------------------------------------------------

  const timedMemories = watch.invariants.some(({ later }) => later !== undefined);
  const successors = createSuccessors(words);
  const waited = new Int32Array(words);
  const movesOfLast: Move<Action>[] = [];

  /** `bag` and `entry`: the flat bag and the position in it of the part looked at; null and -1 for a slot's part. */
  function tryMoves(
    look: CompiledLook<Action>,
    vectors: Int32Array,
    offset: number,
    bag: Int32Array | null,
    entry: number,
  ): void {
    const { moves, earliest, waitsFor } = look;
    const spent = vectors[offset + SPENT] as number;
    for (let number = 0; number < moves.length; number += 1) {
      const move = moves[number] as Move<Action>;
      if (move.due >= 0) {
        const fromMs =
          bag === null
            ? (earliest[move.due] as number) + atOf(vectors, offset, move.slot)
            : (bag[entry + 2] as number);
        if (fromMs > 0) continue;
        if (waitsFor >= 0 && lookAt(vectors[offset + SLOT + waitsFor] as number).still) continue;
      }
      const after = move.budget < 0 ? spent : spend(budgets, spent, move.budget);
      if (after < 0) continue;
      const effectId = effectOf(move, vectors, offset, bag, entry);
      const effect = effects[effectId] as Effect;
      const place = nextSuccessor(successors, words);
      const to = successors.vectors;
      for (let index = 0; index < words; index += 1) to[place + index] = vectors[offset + index] as number;
      if (effect.renaming >= 0)
        for (let slot = 0; slot < slotCount; slot += 1)
          if (!effect.touched.includes(slot))
            to[place + SLOT + slot] = renamed(to[place + SLOT + slot] as number, effect.renaming);
      const { changes } = effect;
      for (let index = 0; index < changes.length; index += 3) {
        const slot = changes[index] as number;
        to[place + SLOT + slot] = changes[index + 1] as number;
        const at = atPlaces[slot] as number;
        if (at >= 0) to[place + at] = changes[index + 2] as number;
      }
      if (effect.exchange >= 0)
        to[place + BAG_AT] = exchanged(to[place + BAG_AT] as number, entry, effect.exchange);
      const memories = memoriesAfter(to[place + MEMORIES] as number, effectId);
      to[place + MEMORIES] = memories;
      to[place + SPENT] = after;
      successors.moves[successors.count] = successors.count;
      successors.broken[successors.count] = watch.broken[memories] as number;
      movesOfLast[successors.count] = move;
      successors.count += 1;
    }
  }

  // When the next thing is due, and how far time may go, from now; written by `consider`.
  let nextMs = Infinity;
  let limitMs = Infinity;
  let everyMoment = false;

  function consider(fromMs: number, untilMs: number, still: boolean): void {
    if (still) {
      // It does not hold time up; but once it waits, the moment at which it is let go matters.
      if (unitMs === null) return;
      if (fromMs <= 0) everyMoment = true;
      else if (fromMs < nextMs) nextMs = fromMs;
      return;
    }
    if (untilMs < limitMs) limitMs = untilMs;
    if (fromMs > 0) {
      if (fromMs < nextMs) nextMs = fromMs;
    } else if (untilMs > 0) everyMoment = true;
  }

  /** How long time may pass: to the next moment at which anything is due, or by a unit where every moment matters. */
  function waitMs(vectors: Int32Array, offset: number): number {
    const spent = vectors[offset + SPENT] as number;
    nextMs = Infinity;
    limitMs = Infinity;
    everyMoment = false;
    for (let slot = 0; slot < slotCount; slot += 1) {
      const look = lookAt(vectors[offset + SLOT + slot] as number);
      const { earliest, latest, momentous, waitsFor } = look;
      if (earliest.length > 0) {
        const at = atOf(vectors, offset, slot);
        const still = waitsFor >= 0 && lookAt(vectors[offset + SLOT + waitsFor] as number).still;
        for (let index = 0; index < earliest.length; index += 1)
          consider((earliest[index] as number) + at, (latest[index] as number) + at, still);
      }
      for (let index = 0; index < momentous.length; index += 1)
        everyMoment ||= hasLeft(budgets, spent, momentous[index] as number);
    }
    const bag = bags[vectors[offset + BAG_AT] as number] as Int32Array;
    for (let entry = 0; entry < bag.length; entry += ENTRY) {
      const { waitsFor } = lookAt(bag[entry] as number);
      const still = waitsFor >= 0 && lookAt(vectors[offset + SLOT + waitsFor] as number).still;
      consider(bag[entry + 2] as number, bag[entry + 3] as number, still);
    }
    let forMs = Math.min(nextMs, limitMs);
    if (unitMs !== null && everyMoment) forMs = Math.min(forMs, unitMs);
    return forMs > 0 && forMs < Infinity ? forMs : 0;
  }

  const vectorOf = (world: World): Int32Array => {
    const { nowMs, slots, bag } = assembly.split(world);
    const vector = new Int32Array(words);
    vector[NOW] = nowMs;
    slots.forEach(({ part, atMs }, slot) => {
      const id = internPart(slot, part);
      vector[SLOT + slot] = id;
      const place = atPlaces[slot] as number;
      if (place >= 0) vector[place] = Math.max(atMs, lookAt(id).floorMs);
    });
    vector[BAG_AT] = internBag(bag.map(entryOf));
    return vector;
  };
  const start = vectorOf(plan.world);
  start[MEMORIES] = plan.memories;

  const sameEntry = (bag: Int32Array, entry: number): boolean => {
    for (let index = 0; index < ENTRY; index += 1)
      if (bag[entry + index] !== bag[entry - ENTRY + index]) return false;
    return true;
  };
  /** How many places two vectors agree in; -1 where their bags differ. */
  const agreement = (left: Int32Array, right: Int32Array): number => {
    if (left[BAG_AT] !== right[BAG_AT]) return -1;
    let equal = 0;
    for (let index = 0; index < BAG_AT; index += 1) if (left[index] === right[index]) equal += 1;
    return equal;
  };

  /**
   * Which of several actions leads to a vector. Messages tell which; parts that have stood still for longer than anything
   * looks back may read otherwise than in the real world, and mean the same.
   */
  function bestOf(actions: readonly Action[], world: World, after: Int32Array): Action | undefined {
    let best: Action | undefined;
    let most = -1;
    for (const action of actions) {
      const equal = agreement(vectorOf(system.step(world, action).world), after);
      if (equal <= most) continue;
      most = equal;
      best = action;
    }
    return best;
  }

  const space: AssembledSpace<World> = {
    words,
    start,
    successors,
    waited,
    act(vectors, offset) {
      successors.count = 0;
      for (let slot = 0; slot < slotCount; slot += 1)
        tryMoves(lookAt(vectors[offset + SLOT + slot] as number), vectors, offset, null, -1);
      const bag = bags[vectors[offset + BAG_AT] as number] as Int32Array;
      for (let entry = 0; entry < bag.length; entry += ENTRY)
        // Equal entries are one choice.
        if (entry === 0 || !sameEntry(bag, entry))
          tryMoves(lookAt(bag[entry] as number), vectors, offset, bag, entry);
    },
    wait(vectors, offset) {
      const forMs = waitMs(vectors, offset);
      if (forMs === 0) return 0;
      for (let index = 0; index < words; index += 1) waited[index] = vectors[offset + index] as number;
      waited[NOW] = assembly.reading(vectors[offset + NOW] as number, forMs);
      for (let slot = 0; slot < slotCount; slot += 1) {
        const place = atPlaces[slot] as number;
        if (place < 0) continue;
        const look = lookAt(vectors[offset + SLOT + slot] as number);
        if (!look.timeless)
          waited[place] = Math.max((vectors[offset + place] as number) - forMs, look.floorMs);
      }
      waited[BAG_AT] = bagLater(vectors[offset + BAG_AT] as number, forMs);
      if (timedMemories) waited[MEMORIES] = laterSet(watch, vectors[offset + MEMORIES] as number, forMs);
      return forMs;
    },
    follow(path: readonly PathStep[]) {
      let { world } = plan;
      return path.map(({ before, move, after }) => {
        if (move === WAIT) {
          const toMs = system.now(world) + waitMs(before, 0);
          const action = { kind: "advance", toMs } as unknown as Action;
          world = system.step(world, action).world;
          return action;
        }
        space.act(before, 0);
        const local = present(movesOfLast[move], "a path can be walked again").action;
        const likely = [...system.enabled(world), ...plan.more(world)].filter((action) =>
          assembly.resembles(local, action),
        );
        const action = likely.length === 1 ? likely[0] : bestOf(likely, world, after);
        assert(action !== undefined, `a path of parts is a path of worlds: ${local.kind}`);
        world = system.step(world, action).world;
        return action;
      });
    },
    spent: (vectors, offset) => spentByName(budgets, vectors[offset + SPENT] ?? 0),
    bytes: () =>
      partBytes +
      memoBytes(renameMemo) +
      memoBytes(exchangeMemo) +
      memoBytes(bagLaterMemo) +
      memoBytes(rootMemo) +
      memoBytes(branchMemo) +
      memoBytes(memoryMemo) +
      effects.length * 200 +
      moveCount * 150 +
      bags.length * 200,
    performed: () => effects.length,
    worldOf(vectors, offset) {
      return assembly.join(
        vectors[offset + NOW] as number,
        Array.from({ length: slotCount }, (_, slot) => placedAt(vectors, offset, slot)),
        entriesOf(vectors[offset + BAG_AT] as number).map(looseOf),
      );
    },
    vectorOf,
    actionOf(successor) {
      return present(movesOfLast[successor], "a successor has a move").action;
    },
    partCount: () => parts.length,
  };
  return space;
}
