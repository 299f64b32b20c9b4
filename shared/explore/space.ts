// What the breadth-first core searches: a graph whose vertices are vectors of whole numbers. Two kinds of space make such
// a graph of a system: `whole.ts` of any, `assembled.ts` of one that can be taken apart.
import type { BaseAction } from "../systems/system.ts";

export interface Space {
  /** Numbers in a vector. */
  readonly words: number;
  readonly start: Int32Array;
  readonly successors: Successors;
  /** Fills `successors` with what can happen at the vector at `offset`, time alone left out. */
  act(vectors: Int32Array, offset: number): void;
  /** The vector that `wait` has found. */
  readonly waited: Int32Array;
  /** How long time may pass from the vector at `offset` until it must be looked at again, in ms; 0 when it may not. */
  wait(vectors: Int32Array, offset: number): number;
  /** Retells a path from the start as actions of real worlds. */
  follow(path: readonly PathStep[]): readonly BaseAction[];
  /** Which budgets a vector has used. */
  spent(vectors: Int32Array, offset: number): Readonly<Record<string, number>>;
  /** Bytes kept beside the store, estimated. */
  bytes(): number;
  /** Distinct local steps performed by the engine; all others were looked up. */
  performed(): number;
}

/** One step of a path: what was before, which move of it, what was after. */
export interface PathStep {
  readonly before: Int32Array;
  /** {@link WAIT}, or the position among the successors that `act` gave. */
  readonly move: number;
  readonly after: Int32Array;
}

export const WAIT = -1;

/** The successors of one vector, one after the other. */
export interface Successors {
  count: number;
  vectors: Int32Array;
  moves: Int32Array;
  /** The position of the invariant that is broken after it, or -1. */
  broken: Int32Array;
}

export function createSuccessors(words: number): Successors {
  const room = 256;
  return {
    count: 0,
    vectors: new Int32Array(room * words),
    moves: new Int32Array(room),
    broken: new Int32Array(room),
  };
}

/** Makes room for one more successor and returns where its vector begins. */
export function nextSuccessor(successors: Successors, words: number): number {
  if (successors.count === successors.moves.length) {
    successors.vectors = grown(successors.vectors);
    successors.moves = grown(successors.moves);
    successors.broken = grown(successors.broken);
  }
  return successors.count * words;
}

function grown(array: Int32Array): Int32Array {
  const next = new Int32Array(array.length * 2);
  next.set(array);
  return next;
}
