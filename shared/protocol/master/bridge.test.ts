import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createBridge,
  EPOCH_PROPERTY,
  epochOf,
  forward,
  NO_PROPERTIES,
  offer,
  stampProperties,
  type Bridge,
  type Envelope,
} from "./bridge.ts";

const envelope = (id: number): Envelope => ({ id, properties: NO_PROPERTIES });
const ids = (items: readonly { readonly id: number }[]) => items.map((item) => item.id);

interface Move {
  readonly why: string;
  readonly capacity: number;
  readonly offered: readonly number[];
  readonly room: number;
  readonly forwarded: readonly number[];
  readonly held: readonly number[];
  readonly waiting: readonly number[];
  readonly admitted: number;
}

const moves: readonly Move[] = [
  {
    why: "holds one in hand beside its queue; the next sender waits",
    capacity: 2,
    offered: [1, 2, 3, 4, 5],
    room: 0,
    forwarded: [],
    held: [1, 2, 3],
    waiting: [4, 5],
    admitted: 0,
  },
  {
    why: "lets as many waiting senders in as it forwards",
    capacity: 2,
    offered: [1, 2, 3, 4, 5],
    room: 1,
    forwarded: [1],
    held: [2, 3, 4],
    waiting: [5],
    admitted: 1,
  },
  {
    why: "passes waiting envelopes through where the pipeline has room",
    capacity: 1,
    offered: [1, 2, 3, 4, 5],
    room: 4,
    forwarded: [1, 2, 3, 4],
    held: [5],
    waiting: [],
    admitted: 3,
  },
  {
    why: "is empty once all is forwarded",
    capacity: 2,
    offered: [1, 2],
    room: 9,
    forwarded: [1, 2],
    held: [],
    waiting: [],
    admitted: 0,
  },
];

describe("the bridge", () => {
  for (const row of moves) {
    it(row.why, () => {
      const moved = forward(offer(createBridge(row.capacity, "7"), row.offered.map(envelope)), row.room);
      expect(ids(moved.exchanges)).toEqual(row.forwarded);
      expect(ids(moved.bridge.held)).toEqual(row.held);
      expect(ids(moved.bridge.waiting)).toEqual(row.waiting);
      expect(moved.admitted).toBe(row.admitted);
    });
  }

  it("takes one by one as it takes many at once", () => {
    const many = offer(createBridge(2, "7"), [1, 2, 3, 4].map(envelope));
    const single = [1, 2, 3, 4].reduce((bridge, id) => offer(bridge, [envelope(id)]), createBridge(2, "7"));
    expect(single).toEqual(many);
  });

  it("loses nothing, repeats nothing, keeps the order and the spawn epoch, whatever is offered and forwarded", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("offer" as const), count: fc.integer({ min: 0, max: 9 }) }),
      fc.record({ kind: fc.constant("forward" as const), count: fc.integer({ min: 0, max: 9 }) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
        let bridge: Bridge = createBridge(capacity, "12");
        let next = 1;
        let accepted = 0;
        const out: number[] = [];
        for (const { kind, count } of steps) {
          if (kind === "offer") {
            const before = bridge.held.length;
            bridge = offer(
              bridge,
              Array.from({ length: count }, () => envelope(next++)),
            );
            accepted += bridge.held.length - before;
          } else {
            const moved = forward(bridge, count);
            bridge = moved.bridge;
            accepted += moved.admitted;
            for (const exchange of moved.exchanges) {
              out.push(exchange.id);
              expect(epochOf(exchange)).toBe("12");
            }
          }
          expect(bridge.held.length).toBeLessThanOrEqual(capacity + 1);
          if (bridge.waiting.length > 0) expect(bridge.held.length).toBe(capacity + 1);
          expect(out.length + bridge.held.length).toBe(accepted);
        }
        const seen = [...out, ...ids(bridge.held), ...ids(bridge.waiting)];
        expect(seen).toEqual(Array.from({ length: next - 1 }, (_, index) => index + 1));
      }),
    );
  });
});

interface StampRow {
  readonly why: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly epoch: string;
  readonly expected: Readonly<Record<string, string>>;
}

const stamps: readonly StampRow[] = [
  {
    why: "adds the epoch as a decimal string",
    properties: {},
    epoch: "42",
    expected: { [EPOCH_PROPERTY]: "42" },
  },
  {
    why: "keeps other properties and overwrites an older stamp",
    properties: { tenant: "a", [EPOCH_PROPERTY]: "99" },
    epoch: "7",
    expected: { tenant: "a", [EPOCH_PROPERTY]: "7" },
  },
  {
    why: "removes a stamp that somebody else wrote where there is no epoch",
    properties: { [EPOCH_PROPERTY]: "99" },
    epoch: "",
    expected: {},
  },
];

describe("stampProperties", () => {
  for (const row of stamps) {
    it(row.why, () => {
      expect(stampProperties(row.properties, row.epoch)).toEqual(row.expected);
      const { exchanges } = forward(
        offer(createBridge(1, row.epoch), [{ id: 1, properties: row.properties }]),
        1,
      );
      expect(exchanges[0]?.properties).toEqual(row.expected);
    });
  }
});
