// The epoch bridge: a bounded queue between delegate and pipeline that stamps every envelope with the epoch it was spawned with.
// Leadership may be lost and won again while envelopes wait in it. They keep their stamp: that is how a fenced sink can
// tell old work from new. The bridge refuses nothing and drops nothing by itself; a sender without room waits.

/** The exchange property that carries the epoch, a decimal string. */
export const EPOCH_PROPERTY = "x-camel-leader-epoch";
/** Envelopes that the bridge's queue holds, beside the one in its hand. */
export const BRIDGE_CAPACITY = 128;
/** Exchanges that wait in the route's pipeline channel. */
export const PIPELINE_CAPACITY = 256;

export type Properties = Readonly<Record<string, string>>;
/** Shared by all envelopes that bring no properties, so that stamping them costs no copy. */
export const NO_PROPERTIES: Properties = Object.freeze({});

/** What a delegate sends. */
export interface Envelope {
  /** Unique within a node's process. */
  readonly id: number;
  readonly properties: Properties;
}

/** An envelope with its stamp, as the pipeline gets it. */
export interface Exchange {
  readonly id: number;
  readonly properties: Properties;
}

export interface Bridge {
  readonly capacity: number;
  /** The epoch when the bridge was spawned, a decimal; empty where there was none. Never changes. */
  readonly epoch: string;
  /** The properties of an envelope that brought none. */
  readonly stamp: Properties;
  /**
   * Accepted and not yet forwarded, oldest first. The oldest is in the bridge's hand and the others in its queue, so
   * there may be `capacity + 1` of them.
   */
  readonly held: readonly Envelope[];
  /** Not accepted yet: their senders wait for room. Empty unless `held` is full. */
  readonly waiting: readonly Envelope[];
}

/** Spawns a bridge; its stamp is this epoch for as long as it lives. */
export function createBridge(capacity: number, epoch: string): Bridge {
  return { capacity, epoch, stamp: stampProperties(NO_PROPERTIES, epoch), held: [], waiting: [] };
}

/** Takes envelopes in order: as many as there is room for are accepted, the rest wait. */
export function offer(bridge: Bridge, envelopes: readonly Envelope[]): Bridge {
  const { capacity, epoch, stamp, held, waiting } = bridge;
  const room = capacity + 1 - held.length;
  if (room <= 0) return { capacity, epoch, stamp, held, waiting: join(waiting, envelopes) };
  if (envelopes.length <= room) return { capacity, epoch, stamp, held: join(held, envelopes), waiting };
  return {
    capacity,
    epoch,
    stamp,
    held: join(held, envelopes.slice(0, room)),
    waiting: join(waiting, envelopes.slice(room)),
  };
}

export interface Forwarded {
  readonly bridge: Bridge;
  /** Stamped, oldest first. */
  readonly exchanges: readonly Exchange[];
  /** How many that waited are accepted by this, oldest first. */
  readonly admitted: number;
}

/** Stamps and forwards at most `room` envelopes, oldest first; those that wait move up. */
export function forward(bridge: Bridge, room: number): Forwarded {
  const { capacity, epoch, stamp, held, waiting } = bridge;
  const all = waiting.length === 0 ? held : join(held, waiting);
  const count = Math.min(room, all.length);
  if (count <= 0) return { bridge, exchanges: [], admitted: 0 };
  const exchanges: Exchange[] = [];
  for (let index = 0; index < count; index += 1) {
    const envelope = all[index] as Envelope;
    const { properties } = envelope;
    exchanges.push({
      id: envelope.id,
      properties: properties === NO_PROPERTIES ? stamp : stampProperties(properties, epoch),
    });
  }
  const limit = count + capacity + 1;
  return {
    bridge: {
      capacity,
      epoch,
      stamp,
      held: all.slice(count, limit),
      waiting: all.length > limit ? all.slice(limit) : NONE,
    },
    exchanges,
    admitted: Math.min(waiting.length, Math.max(0, limit - held.length)),
  };
}

/** Properties with the stamp. Whatever they had under its name is overwritten, or removed where there is no epoch. */
export function stampProperties(properties: Properties, epoch: string): Properties {
  if (epoch !== "") return { ...properties, [EPOCH_PROPERTY]: epoch };
  const { [EPOCH_PROPERTY]: _, ...others } = properties;
  return others;
}

/** The epoch that an exchange carries; empty where it has none. */
export const epochOf = (exchange: Exchange): string => exchange.properties[EPOCH_PROPERTY] ?? "";

const NONE: readonly Envelope[] = [];

function join(left: readonly Envelope[], right: readonly Envelope[]): readonly Envelope[] {
  return left.length === 0 ? right : right.length === 0 ? left : left.concat(right);
}
