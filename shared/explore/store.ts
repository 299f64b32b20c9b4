// Where a search keeps its states: vectors of whole numbers in one flat array, found again through an open-addressed
// table of record numbers. Beside each vector stand the record it came from and the number of the move that led here, so
// that a path can be walked back.

export interface Store {
  /** Numbers in one vector. */
  readonly words: number;
  /** Whether the time of a record matters: then an earlier arrival at a known vector is recorded again. */
  readonly timed: boolean;
  /** Records so far, the repeated ones of {@link Insertion.earlier} included. */
  count: number;
  /** Distinct vectors so far. */
  distinct: number;
  vectors: Int32Array<ArrayBuffer>;
  /** The record that a record was first reached from; -1 for the start. */
  parents: Int32Array<ArrayBuffer>;
  /** Which of its parent's moves led to it. */
  moves: Int32Array<ArrayBuffer>;
  /** Virtual milliseconds since the start of the search; empty where time does not matter. */
  times: Int32Array<ArrayBuffer>;
  /** Record number + 1 by hash; 0 for a free place. */
  table: Int32Array<ArrayBuffer>;
}

export const Insertion = {
  /** Known, and reached no later than now. */
  known: 0,
  /** Never seen before. */
  fresh: 1,
  /** Known, but only with less time left: recorded again. */
  earlier: 2,
  /** Known and not yet gone on from: its record now says the earlier time. */
  moved: 3,
} as const;
export type Insertion = (typeof Insertion)[keyof typeof Insertion];

const FIRST_RECORDS = 1 << 12;

export function createStore(words: number, timed: boolean): Store {
  return {
    words,
    timed,
    count: 0,
    distinct: 0,
    vectors: new Int32Array(FIRST_RECORDS * words),
    parents: new Int32Array(FIRST_RECORDS),
    moves: new Int32Array(FIRST_RECORDS),
    times: new Int32Array(timed ? FIRST_RECORDS : 0),
    table: new Int32Array(FIRST_RECORDS * 4),
  };
}

/** Bytes of the arrays as they stand. */
export function storeBytes(store: Store): number {
  const { vectors, parents, moves, times, table } = store;
  return vectors.byteLength + parents.byteLength + moves.byteLength + times.byteLength + table.byteLength;
}

/** Bytes that the next growth will need at its peak, when old and new arrays stand side by side. */
export const bytesAfterGrowth = (store: Store): number => storeBytes(store) * 3;

/** Scrambles `words` numbers from `offset` on to one. */
export function hashVector(vector: Int32Array, offset: number, words: number): number {
  let hash = 0x2545f491;
  for (let index = 0; index < words; index += 1) {
    hash = Math.imul(hash ^ (vector[offset + index] as number), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
}

export interface Arrival {
  readonly parent: number;
  readonly move: number;
  readonly timeMs: number;
  /** Records from this number on have not been gone on from, so an earlier time may be written over theirs. */
  readonly openFrom: number;
}

/** Finds the vector at `offset` of `from`, or adds it. */
export function insert(
  store: Store,
  from: Int32Array,
  offset: number,
  parent: number,
  move: number,
  timeMs: number,
  openFrom: number,
): Insertion {
  const { words, table, vectors } = store;
  const mask = table.length - 1;
  let place = hashVector(from, offset, words) & mask;
  for (;;) {
    const entry = table[place] as number;
    if (entry === 0) break;
    const base = (entry - 1) * words;
    let index = 0;
    while (index < words && vectors[base + index] === from[offset + index]) index += 1;
    if (index === words) {
      if (!store.timed || (store.times[entry - 1] as number) <= timeMs) return Insertion.known;
      if (entry - 1 >= openFrom) {
        store.times[entry - 1] = timeMs;
        store.parents[entry - 1] = parent;
        store.moves[entry - 1] = move;
        return Insertion.moved;
      }
      table[place] = append(store, from, offset, parent, move, timeMs) + 1;
      return Insertion.earlier;
    }
    place = (place + 1) & mask;
  }
  const record = append(store, from, offset, parent, move, timeMs);
  store.distinct += 1;
  // `append` may have grown the arrays, not the table: the place found is still the right one.
  table[place] = record + 1;
  if (store.distinct * 2 > table.length) growTable(store);
  return Insertion.fresh;
}

function append(
  store: Store,
  from: Int32Array,
  offset: number,
  parent: number,
  move: number,
  timeMs: number,
): number {
  const record = store.count;
  if (record === store.parents.length) growRecords(store);
  const base = record * store.words;
  for (let index = 0; index < store.words; index += 1)
    store.vectors[base + index] = from[offset + index] as number;
  store.parents[record] = parent;
  store.moves[record] = move;
  if (store.timed) store.times[record] = timeMs;
  store.count = record + 1;
  return record;
}

function growRecords(store: Store): void {
  store.vectors = doubled(store.vectors);
  store.parents = doubled(store.parents);
  store.moves = doubled(store.moves);
  store.times = doubled(store.times);
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const next = new Int32Array(array.length * 2);
  next.set(array);
  return next;
}

function growTable(store: Store): void {
  const { words, vectors } = store;
  const old = store.table;
  const table = new Int32Array(old.length * 2);
  const mask = table.length - 1;
  // Only what the table names is carried over: a record that was recorded again earlier is not found any more.
  for (const entry of old) {
    if (entry === 0) continue;
    let place = hashVector(vectors, (entry - 1) * words, words) & mask;
    while (table[place] !== 0) place = (place + 1) & mask;
    table[place] = entry;
  }
  store.table = table;
}
