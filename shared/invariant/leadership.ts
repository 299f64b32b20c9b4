// The named invariants of the leadership system, as folds over its events.
import type { Event } from "../systems/event.ts";
import { compareTokens } from "../protocol/token/token.ts";
import type { Invariant } from "./invariant.ts";

type Write = (value: number | string) => void;

/** Whether something has happened yet: the memory of most invariants. */
interface Flag {
  readonly hit: boolean;
}
const CLEAR: Flag = { hit: false };
const HIT: Flag = { hit: true };
const encodeFlag = (memory: Flag, write: Write): void => write(memory.hit ? 1 : 0);

/** An invariant that one event alone can break. */
function neverSeen(
  facts: Pick<Invariant, "id" | "claim" | "about" | "needs">,
  breaks: (event: Event) => boolean,
): Invariant<Flag> {
  return {
    ...facts,
    system: "leadership",
    modality: "always",
    initial: CLEAR,
    observe: (memory, event) => (memory.hit || !breaks(event) ? memory : HIT),
    holds: (memory) => !memory.hit,
    encode: encodeFlag,
  };
}

/** An invariant that one event alone can reach. */
function onceSeen(
  facts: Pick<Invariant, "id" | "claim" | "about" | "needs">,
  reaches: (event: Event) => boolean,
): Invariant<Flag> {
  return {
    ...facts,
    system: "leadership",
    modality: "sometimes",
    initial: CLEAR,
    observe: (memory, event) => (memory.hit || !reaches(event) ? memory : HIT),
    holds: (memory) => memory.hit,
    encode: encodeFlag,
    again: () => CLEAR,
  };
}

// --- epochs -------------------------------------------------------------------------------------------------------

interface Tokens {
  readonly hit: boolean;
  /** Largest token given to an acquisition so far; "" before the first. */
  readonly largest: string;
  /** The acquisition it was given to. */
  readonly acquisition: number;
}

/** Tokens as they are taken at the start of leadership. */
const epochsIncrease: Invariant<Tokens> = {
  id: "epochs-increase",
  system: "leadership",
  modality: "always",
  claim: "epochs strictly increase per acquisition",
  about:
    "Every new leadership must carry a token above all earlier ones, or no sink can tell new from old. A token source that stands still, falls back or follows a clock breaks it.",
  needs: ["started-leading"],
  initial: { hit: false, largest: "", acquisition: 0 },
  observe(memory, event) {
    if (memory.hit || event.kind !== "started-leading" || event.token === "") return memory;
    if (memory.largest === "" || compareTokens(event.token, memory.largest) > 0)
      return { hit: false, largest: event.token, acquisition: event.acquisition };
    return { ...memory, hit: true };
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.largest);
  },
};

interface Used {
  readonly hit: boolean;
  /** Tokens given so far with their acquisition, as `token@acquisition`. */
  readonly tokens: readonly string[];
}

const noEpochTwice: Invariant<Used> = {
  id: "no-epoch-twice",
  system: "leadership",
  modality: "always",
  claim: "no epoch is used by two acquisitions",
  about:
    "Two leaderships that share a token look like one to every sink. A counter that starts again, or an identity that is found in the Lease and simply adopted, breaks it.",
  needs: ["started-leading"],
  initial: { hit: false, tokens: [] },
  observe(memory, event) {
    if (memory.hit || event.kind !== "started-leading" || event.token === "") return memory;
    if (memory.tokens.includes(event.token)) return { ...memory, hit: true };
    return { hit: false, tokens: [...memory.tokens, event.token] };
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.tokens.join(" "));
  },
};

// --- belief -------------------------------------------------------------------------------------------------------

interface Believers {
  readonly hit: boolean;
  /** Nodes that believe that they lead, in order of their start. */
  readonly nodes: readonly string[];
}

function observeBelief(memory: Believers, event: Event): Believers {
  switch (event.kind) {
    case "started-leading": {
      if (memory.nodes.includes(event.node)) return memory;
      const nodes = [...memory.nodes, event.node].toSorted();
      return { hit: memory.hit || nodes.length > 1, nodes };
    }
    case "work-cancelled":
    case "stopped-leading":
    case "crashed":
      return memory.nodes.includes(event.node)
        ? { hit: memory.hit, nodes: memory.nodes.filter((node) => node !== event.node) }
        : memory;
    default:
      return memory;
  }
}

const encodeBelievers = (memory: Believers, write: Write): void => {
  write(memory.hit ? 1 : 0);
  write(memory.nodes.join(" "));
};

const believers: Pick<Invariant<Believers>, "system" | "needs" | "initial" | "observe" | "encode"> = {
  system: "leadership",
  needs: ["started-leading", "work-cancelled", "crashed"],
  initial: { hit: false, nodes: [] },
  observe: observeBelief,
  encode: encodeBelievers,
};

const oneBeliever: Invariant<Believers> = {
  ...believers,
  id: "one-believer",
  modality: "always",
  claim: "at most one node believes it leads",
  about:
    "A Lease cannot promise this: a paused process believes on. It is listed to show when belief and Lease part; what protects the data is the fence.",
  holds: (memory) => !memory.hit,
};

const twoBelieve: Invariant<Believers> = {
  ...believers,
  id: "two-believe",
  modality: "sometimes",
  claim: "two nodes believe that they lead",
  about: "Shows that the danger was there: a pass of the sink's invariants is not for lack of trying.",
  holds: (memory) => memory.hit,
  again: (memory) => ({ ...memory, hit: false }),
};

interface Acting {
  readonly hit: boolean;
  /** `node acquisition` of those whose guarded work runs. */
  readonly acting: readonly string[];
}

/** Guarded work overlaps: it counts from the start of leadership until it has really stopped. */
const oneActs: Invariant<Acting> = {
  id: "one-acts",
  system: "leadership",
  modality: "always",
  claim: "guarded work of two leaderships never overlaps",
  about:
    "Counts from the start of leadership until the work has really stopped, clean-up included. Holds under bounded delay and clock rate when the timings satisfy the safety inequality; no timing can hold it under pauses.",
  needs: ["started-leading", "work-stopped", "stopped-leading", "crashed"],
  initial: { hit: false, acting: [] },
  observe(memory, event) {
    switch (event.kind) {
      case "started-leading": {
        const acting = [...memory.acting.filter((node) => node !== event.node), event.node].toSorted();
        return { hit: memory.hit || acting.length > 1, acting };
      }
      case "work-stopped":
      case "crashed":
        return memory.acting.includes(event.node)
          ? { hit: memory.hit, acting: memory.acting.filter((node) => node !== event.node) }
          : memory;
      default:
        return memory;
    }
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.acting.join(" "));
  },
};

// --- sinks --------------------------------------------------------------------------------------------------------

const isStale = (event: Event): boolean =>
  event.kind === "write-applied" && event.value !== "claim" && event.newestBefore > event.acquisition;

/** One per sink, so that two ledgers on the same writes can be judged side by side. */
export function sinkOrder(sink: string, title: string): Invariant<Flag> {
  return neverSeen(
    {
      id: `ordered:${sink}`,
      claim: `${sink} (${title}) never applies an older leader's write after a newer one's`,
      about:
        "Judged by who really led when, not by the token: a wrong token source can make a sink accept what it should refuse.",
      needs: ["write-applied"],
    },
    (event) => event.lane === sink && isStale(event),
  );
}

interface Marks {
  readonly hit: boolean;
  readonly applied: Readonly<Record<string, string>>;
}

const markRises: Invariant<Marks> = {
  id: "fence-respected",
  system: "leadership",
  modality: "always",
  claim: "a fenced sink never applies an epoch below one it applied",
  about:
    "The fence itself, in terms of tokens. A check that is not atomic, or a mark that is forgotten, breaks it.",
  needs: ["write-applied"],
  initial: { hit: false, applied: {} },
  observe(memory, event) {
    if (memory.hit || event.kind !== "write-applied" || event.token === "" || event.mark === "0")
      return memory;
    const before = memory.applied[event.sink];
    if (before !== undefined && compareTokens(event.token, before) < 0) return { ...memory, hit: true };
    return { hit: false, applied: { ...memory.applied, [event.sink]: event.token } };
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    for (const sink of Object.keys(memory.applied).toSorted()) write(`${sink} ${memory.applied[sink] ?? ""}`);
  },
};

interface Keys {
  readonly hit: boolean;
  readonly applied: readonly string[];
}

const noDuplicate: Invariant<Keys> = {
  id: "no-duplicate-effect",
  system: "leadership",
  modality: "always",
  claim: "no operation takes effect twice at one sink",
  about:
    "What an idempotency key is for. A fence does not do it: the second delivery carries the same epoch.",
  needs: ["write-applied"],
  tellsOperationsApart: true,
  initial: { hit: false, applied: [] },
  observe(memory, event) {
    if (memory.hit || event.kind !== "write-applied" || event.value === "claim") return memory;
    const effect = `${event.sink} ${event.key}`;
    return memory.applied.includes(effect)
      ? { ...memory, hit: true }
      : { hit: false, applied: [...memory.applied, effect] };
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    for (const effect of memory.applied) write(effect);
  },
};

interface Newest {
  readonly hit: boolean;
  /** The newest acquisition that the Lease has seen. */
  readonly newest: number;
}

const staleReaches: Invariant<Newest> = {
  id: "stale-write-reaches-sink",
  system: "leadership",
  modality: "sometimes",
  claim: "a write of a deposed leader reaches a sink",
  about: "Whether it is applied or refused: the danger was there.",
  needs: ["request-served", "started-leading", "write-applied", "write-refused"],
  initial: { hit: false, newest: 0 },
  observe(memory, event) {
    switch (event.kind) {
      case "request-served":
        return event.acquisition === null ? memory : { ...memory, newest: event.acquisition };
      case "started-leading":
        return event.acquisition > memory.newest ? { ...memory, newest: event.acquisition } : memory;
      case "write-applied":
      case "write-refused":
        return !memory.hit && event.acquisition < memory.newest ? { ...memory, hit: true } : memory;
      default:
        return memory;
    }
  },
  holds: (memory) => memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.newest);
  },
  again: (memory) => ({ ...memory, hit: false }),
};

const staleRefused = onceSeen(
  {
    id: "stale-write-refused",
    claim: "a fence refuses a stale write",
    about: "The fence was needed, and did its work.",
    needs: ["write-refused"],
  },
  (event) => event.kind === "write-refused" && event.reason === "stale",
);

const rightfulRefused = (): Invariant<Newest> => ({
  id: "rightful-leader-served",
  system: "leadership",
  modality: "always",
  claim: "the leader that holds the Lease is never refused as stale",
  about:
    "The other way a fence can fail: it keeps the rightful leader out, as after a Lease that was deleted and started low, or with a token that outdates itself.",
  needs: ["request-served", "write-refused"],
  initial: { hit: false, newest: 0 },
  observe(memory, event) {
    switch (event.kind) {
      case "request-served":
        return event.acquisition === null ? memory : { ...memory, newest: event.acquisition };
      case "started-leading":
        return event.acquisition > memory.newest ? { ...memory, newest: event.acquisition } : memory;
      case "write-refused":
        return !memory.hit && event.reason !== "duplicate" && event.acquisition === memory.newest
          ? { ...memory, hit: true }
          : memory;
      default:
        return memory;
    }
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.newest);
  },
});

// --- release ------------------------------------------------------------------------------------------------------

interface Guarded {
  readonly hit: boolean;
  /** Nodes whose guarded work runs. */
  readonly working: readonly string[];
}

const releaseAfterWork: Invariant<Guarded> = {
  id: "release-after-work",
  system: "leadership",
  modality: "always",
  claim: "the Lease is never released while guarded work runs",
  about: "client-go releases before the work's context is cancelled; epoch-lab after the work has stopped.",
  needs: ["started-leading", "work-stopped", "request-served", "crashed"],
  initial: { hit: false, working: [] },
  observe(memory, event) {
    switch (event.kind) {
      case "started-leading":
        return memory.working.includes(event.node)
          ? memory
          : { ...memory, working: [...memory.working, event.node].toSorted() };
      case "work-stopped":
      case "crashed":
        return memory.working.includes(event.node)
          ? { ...memory, working: memory.working.filter((node) => node !== event.node) }
          : memory;
      case "request-served":
        return event.purpose === "release" && event.changed && memory.working.includes(event.node)
          ? { ...memory, hit: true }
          : memory;
      default:
        return memory;
    }
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.working.join(" "));
  },
};

interface Holder {
  readonly hit: boolean;
  /** The node whose acquisition the Lease carries; empty when nobody's. */
  readonly holder: string;
}

const releaseOwn: Invariant<Holder> = {
  id: "release-own",
  system: "leadership",
  modality: "always",
  claim: "a release frees only the releaser's own acquisition",
  about: "client-go's release looks at the holder it saw last, not at the one that holds now (its fact 5).",
  needs: ["request-served"],
  initial: { hit: false, holder: "" },
  observe(memory, event) {
    if (event.kind !== "request-served" || !event.changed) return memory;
    if (event.acquisition !== null) return { ...memory, holder: event.node };
    if (event.purpose !== "release") return memory;
    const stolen = memory.holder !== "" && memory.holder !== event.node;
    return { hit: memory.hit || stolen, holder: "" };
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    write(memory.holder);
  },
};

// --- stale belief -------------------------------------------------------------------------------------------------

interface Deposed {
  readonly hit: boolean;
  /** The newest holder by the Lease, and since when another one believes against it. */
  readonly holder: string;
  readonly acting: readonly string[];
  /** Null while nobody does. */
  readonly sinceMs: number | null;
}

/**
 * Nobody acts as leader on a belief that the Lease contradicts for longer than `boundMs`.
 * The bound of a profile is what its timings promise: for epoch-lab 0, for client-go up to its renew deadline.
 */
export function staleBelief(boundMs: number): Invariant<Deposed> {
  return {
    id: "stale-belief-bounded",
    system: "leadership",
    modality: "always",
    claim:
      boundMs === 0
        ? "no node believes that it leads once the Lease names another"
        : boundMs >= Number.MAX_SAFE_INTEGER
          ? "noop bounds no belief: this cannot be broken"
          : `no node believes that it leads for longer than ${boundMs / 1000} s after the Lease names another`,
    about: "The bound that the profile states for itself. A pause breaks any bound.",
    needs: ["request-served", "started-leading", "work-cancelled"],
    initial: { hit: false, holder: "", acting: [], sinceMs: null },
    observe(memory, event) {
      let { holder, acting } = memory;
      if (event.kind === "request-served" && event.acquisition !== null) holder = event.node;
      if (event.kind === "started-leading" && !acting.includes(event.node)) acting = [...acting, event.node];
      if (
        (event.kind === "work-cancelled" || event.kind === "crashed" || event.kind === "stopped-leading") &&
        acting.includes(event.node)
      )
        acting = acting.filter((node) => node !== event.node);
      const late = memory.sinceMs !== null && event.at - memory.sinceMs > boundMs;
      const against = acting.some((node) => node !== holder);
      const sinceMs = against ? (memory.sinceMs ?? event.at) : null;
      return { hit: memory.hit || late, holder, acting, sinceMs };
    },
    holds: (memory) => !memory.hit,
    encode(memory, write) {
      write(memory.hit ? 1 : 0);
      write(memory.holder);
      write(memory.acting.join(" "));
      write(memory.sinceMs ?? "-");
    },
    // What has lasted longer than the bound is late, however much longer.
    later: (memory, byMs) =>
      memory.sinceMs === null
        ? memory
        : { ...memory, sinceMs: Math.max(memory.sinceMs - byMs, -boundMs - 1) },
  };
}

// --- bridge -------------------------------------------------------------------------------------------------------

interface Stamps {
  readonly hit: boolean;
  /** Per node, the envelopes in its bridge and pipeline as accepted, oldest first: number and stamp. */
  readonly held: Readonly<Record<string, readonly { readonly envelope: number; readonly token: string }[]>>;
}

const spawnEpoch: Invariant<Stamps> = {
  id: "bridge-in-order",
  system: "leadership",
  modality: "always",
  claim: "every envelope keeps the epoch that its bridge was spawned with, in order",
  about: "Snapshot semantics: a live read would let old work pass as new.",
  needs: ["envelope-accepted", "envelope-forwarded", "envelopes-dropped", "crashed"],
  initial: { hit: false, held: {} },
  observe(memory, event) {
    if (memory.hit) return memory;
    switch (event.kind) {
      case "envelope-accepted": {
        const { node, envelope, token } = event;
        const held = [...(memory.held[node] ?? []), { envelope, token }];
        return { hit: false, held: { ...memory.held, [node]: held } };
      }
      case "envelope-forwarded": {
        const held = memory.held[event.node] ?? [];
        const at = held.findIndex(({ envelope }) => envelope === event.envelope);
        // Those before it were dropped, or it has overtaken them: dropped ones are taken out when that is said.
        if (at !== 0 || held[0]?.token !== event.token) return { ...memory, hit: true };
        return { hit: false, held: { ...memory.held, [event.node]: held.slice(1) } };
      }
      case "envelopes-dropped": {
        const held = (memory.held[event.node] ?? []).filter(
          ({ envelope }) => !event.envelopes.includes(envelope),
        );
        return { hit: false, held: { ...memory.held, [event.node]: held } };
      }
      case "crashed":
        return { hit: false, held: { ...memory.held, [event.node]: [] } };
      default:
        return memory;
    }
  },
  holds: (memory) => !memory.hit,
  encode(memory, write) {
    write(memory.hit ? 1 : 0);
    for (const node of Object.keys(memory.held).toSorted())
      for (const { envelope, token } of memory.held[node] ?? []) write(`${node} ${envelope} ${token}`);
  },
};

const nothingDropped = neverSeen(
  {
    id: "nothing-dropped",
    claim: "nothing that a bridge accepted is dropped",
    about: "What is dropped is counted and said; this tells whether it happened.",
    needs: ["envelopes-dropped"],
  },
  (event) => event.kind === "envelopes-dropped" && event.count > 0,
);

const modelAgrees = neverSeen(
  {
    id: "model-agrees",
    claim: "the register and the real API server agree",
    about:
      "Only a cluster run can break it: the in-memory register predicts every call, and a difference is a fault of the model.",
    needs: ["model-diverged"],
  },
  (event) => event.kind === "model-diverged",
);

/** All that need nothing but the events. Sinks bring one more each: {@link sinkOrder}. */
export const LEADERSHIP_INVARIANTS: readonly Invariant[] = [
  oneBeliever,
  oneActs,
  epochsIncrease,
  noEpochTwice,
  markRises,
  noDuplicate,
  rightfulRefused(),
  releaseAfterWork,
  releaseOwn,
  spawnEpoch,
  nothingDropped,
  modelAgrees,
  twoBelieve,
  staleReaches,
  staleRefused,
] as readonly Invariant[];
