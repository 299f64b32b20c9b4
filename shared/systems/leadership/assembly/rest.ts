// The other parts of a leadership world in normal form: the register, the links, and the sinks.
import type { Lease } from "../../../protocol/lease/lease.ts";
import type { LeaseStore } from "../../../protocol/lease/register.ts";
import type { Sink } from "../../../protocol/sink/sink.ts";
import type { Acquisition, LeadershipWorld, SinkState } from "../world.ts";
import type { Placed } from "../../search.ts";
import { zeroNear, type Form, type Renaming, type Rewrite } from "./form.ts";
import { leasePart, momentOf } from "./lease.ts";
import { messageOf, messagePart, type MessagePart } from "./message.ts";

/** The Lease API: the Lease, its counters, and the lab's count of acquisitions. */
export interface RegisterPart {
  readonly lease: Lease | null;
  readonly revision: number;
  readonly created: number;
  readonly acquisition: Acquisition;
}

export function placeRegister(
  form: Form,
  world: Pick<LeadershipWorld, "store" | "acquisition" | "now">,
  renaming: Renaming | null,
): Placed {
  const lease = world.store.leases[form.config.lock] ?? null;
  const momentMs = lease === null || form.time === "absolute" ? null : momentOf(form, lease.spec);
  const zeroMs = momentMs === null ? 0 : zeroNear(form, momentMs);
  return {
    part: registerPart(form, world, { zeroMs, renaming }),
    atMs: momentMs === null ? 0 : zeroMs - world.now,
  };
}

export function registerPart(
  form: Form,
  world: Pick<LeadershipWorld, "store" | "acquisition">,
  rewrite: Rewrite,
): RegisterPart {
  const { store, acquisition } = world;
  const lease = store.leases[form.config.lock] ?? null;
  return {
    lease: lease === null ? null : leasePart(form, lease, rewrite),
    revision: store.revision - (rewrite.renaming?.versions ?? 0),
    created: store.created,
    // Who made the newest acquisition is only shown.
    acquisition: form.reduced
      ? { ordinal: acquisition.ordinal, node: -1, incarnation: 0 }
      : {
          ordinal: acquisition.ordinal,
          node: acquisition.node,
          incarnation: acquisition.incarnation,
        },
  };
}

/** Whether the times of the register's Lease are told from a moment. */
export const isDated = (form: Form, { lease }: RegisterPart): boolean =>
  form.time !== "absolute" && lease !== null && momentOf(form, lease.spec) !== null;

export function storeOf(form: Form, part: RegisterPart): LeaseStore {
  return {
    revision: part.revision,
    created: part.created,
    leases: part.lease === null ? {} : { [form.config.lock]: part.lease },
  };
}

/** What lies between nodes, Lease API and sinks: cut links, and delays that were set during a run. */
export interface LinksPart {
  readonly cuts: readonly string[];
  readonly leaseDelayMs: readonly (number | null)[];
  readonly sinkDelayMs: readonly (number | null)[];
}

export function linksPart(world: Pick<LeadershipWorld, "cuts" | "nodes">): LinksPart {
  return {
    cuts: world.cuts,
    leaseDelayMs: world.nodes.map((node) => node.leaseDelayMs),
    sinkDelayMs: world.nodes.map((node) => node.sinkDelayMs),
  };
}

export interface SinkPart {
  readonly sink: Sink;
  /** Writes between their check and their act. */
  readonly checked: readonly (Pick<MessagePart, "payload"> & {
    readonly dueMs: number;
    readonly untilMs: number;
  })[];
}

/** A sink of a world whose clock reads `nowMs`, told from the earliest act that is put off. */
export function placeSink(form: Form, state: SinkState, nowMs: number, renaming: Renaming | null): Placed {
  const dues = state.checked.map(({ timer }) => timer.dueMs);
  const zeroMs = zeroNear(form, dues.length === 0 ? 0 : Math.min(...dues));
  return {
    part: sinkPart(form, state, { zeroMs, renaming }),
    atMs: form.time === "absolute" || dues.length === 0 ? 0 : zeroMs - nowMs,
  };
}

export function sinkPart(form: Form, { sink, checked }: SinkState, rewrite: Rewrite): SinkPart {
  const { zeroMs } = rewrite;
  const at = (ms: number): number => ms - zeroMs;
  return {
    sink: {
      enforcement: sink.enforcement,
      dedupes: sink.dedupes,
      mark: sink.mark,
      seen: sink.seen,
      keys: sink.keys,
      newest: sink.newest,
      // The ledger is only shown.
      applied: [],
    },
    checked: checked
      .map(({ message, timer, latestMs }) => ({
        payload: messagePart(form, message, rewrite).payload,
        dueMs: at(timer.dueMs),
        untilMs: at(latestMs),
      }))
      .toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
  };
}

/** Writes between check and act get numbers of their own, above those of messages under way. */
const CHECKED_FROM = 1000;
const CHECKED_ROOM = 100;

export function sinkOf(form: Form, part: SinkPart, index: number): SinkState {
  return {
    id: form.config.sinks[index]?.id ?? "",
    sink: part.sink,
    checked: part.checked.map((write, at) => {
      const id = CHECKED_FROM + index * CHECKED_ROOM + at;
      return {
        message: messageOf(form, write, id, { earliestMs: 0, latestMs: 0 }),
        timer: { name: `act:${id}`, dueMs: write.dueMs, order: 0 },
        latestMs: write.untilMs,
      };
    }),
  };
}

/** The sink of a checked write's number; -1 for a message under way. */
export const sinkOfMessage = (id: number): number =>
  id < CHECKED_FROM ? -1 : Math.floor((id - CHECKED_FROM) / CHECKED_ROOM);

/** The first number that a step may give to a message of its own. */
export const NEW_MESSAGES_FROM = 100_000;
