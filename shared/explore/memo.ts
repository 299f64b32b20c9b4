// Remembered results: whole numbers looked up by a few whole numbers, in flat open-addressed arrays.

export interface Memo {
  readonly width: number;
  count: number;
  keys: Int32Array;
  /** Result + 1; 0 for a free place. */
  values: Int32Array;
}

/** `width`: how many numbers a key has. */
export function createMemo(width: number): Memo {
  const room = 1 << 10;
  return { width, count: 0, keys: new Int32Array(room * width), values: new Int32Array(room) };
}

/** The result for two numbers, or -1. */
export function recall2(memo: Memo, first: number, second: number): number {
  const { keys, values } = memo;
  const mask = values.length - 1;
  let place = hash2(first, second) & mask;
  for (;;) {
    const value = values[place] as number;
    if (value === 0) return -1;
    if (keys[place * 2] === first && keys[place * 2 + 1] === second) return value - 1;
    place = (place + 1) & mask;
  }
}

export function remember2(memo: Memo, first: number, second: number, result: number): void {
  if (memo.count * 2 >= memo.values.length) grow(memo);
  const { keys, values } = memo;
  const mask = values.length - 1;
  let place = hash2(first, second) & mask;
  while (values[place] !== 0) place = (place + 1) & mask;
  keys[place * 2] = first;
  keys[place * 2 + 1] = second;
  values[place] = result + 1;
  memo.count += 1;
}

function hash2(first: number, second: number): number {
  let hash = Math.imul(first ^ 0x2545f491, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** The result for the `width` numbers of `key`, or -1. */
export function recall(memo: Memo, key: Int32Array): number {
  const { keys, values, width } = memo;
  const mask = values.length - 1;
  let place = hashKey(key, 0, width) & mask;
  for (;;) {
    const value = values[place] as number;
    if (value === 0) return -1;
    const base = place * width;
    let index = 0;
    while (index < width && keys[base + index] === key[index]) index += 1;
    if (index === width) return value - 1;
    place = (place + 1) & mask;
  }
}

export function remember(memo: Memo, key: Int32Array, result: number): void {
  if (memo.count * 2 >= memo.values.length) grow(memo);
  const { keys, values, width } = memo;
  const mask = values.length - 1;
  let place = hashKey(key, 0, width) & mask;
  while (values[place] !== 0) place = (place + 1) & mask;
  for (let index = 0; index < width; index += 1) keys[place * width + index] = key[index] as number;
  values[place] = result + 1;
  memo.count += 1;
}

function hashKey(keys: Int32Array, offset: number, width: number): number {
  if (width === 2) return hash2(keys[offset] as number, keys[offset + 1] as number);
  let hash = 0x2545f491;
  for (let index = 0; index < width; index += 1) {
    hash = Math.imul(hash ^ (keys[offset + index] as number), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
}

function grow(memo: Memo): void {
  const { keys, values, width } = memo;
  const room = values.length * 2;
  const mask = room - 1;
  memo.keys = new Int32Array(room * width);
  memo.values = new Int32Array(room);
  for (let from = 0; from < values.length; from += 1) {
    if (values[from] === 0) continue;
    let place = hashKey(keys, from * width, width) & mask;
    while (memo.values[place] !== 0) place = (place + 1) & mask;
    for (let index = 0; index < width; index += 1)
      memo.keys[place * width + index] = keys[from * width + index] as number;
    memo.values[place] = values[from] as number;
  }
}

export const memoBytes = (memo: Memo): number => memo.keys.byteLength + memo.values.byteLength;
