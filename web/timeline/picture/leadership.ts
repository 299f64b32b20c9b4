// How the events of the leadership system look.
import type { Event } from "../../../shared/systems/event.ts";
import { LEASE_LANE } from "../../../shared/systems/leadership/world.ts";
import type { StopReason } from "../../../shared/protocol/elector/contract.ts";
import type { BandReading } from "../../../shared/systems/system.ts";
import { unreachable } from "../../../shared/base/assert.ts";
import { routineExchanges, summariseRequests } from "./leadershipRoutine.ts";
import {
  aside,
  PLAIN,
  words,
  type Arrival,
  type Depiction,
  type Disagreement,
  type EpochFacts,
  type Picture,
  type Sending,
  type Shape,
  type Words,
} from "./picture.ts";

type Of<Kind extends Event["kind"]> = Extract<Event, { kind: Kind }>;

/** What has been seen so far while walking along the events. */
interface Memory {
  /** The newest acquisition and the term that came with it. */
  newest: EpochFacts | null;
  /** Writes that a sink has looked at and not yet acted on: the event of the look, by message. */
  readonly checked: Map<number, number>;
}

/** The last walk, to go on from when its line has grown. */
interface Walk {
  readonly events: readonly Event[];
  readonly depictions: readonly Depiction[];
  readonly memory: Memory;
}

let last: Walk | null = null;

export const leadershipPicture: Picture = {
  depict(events) {
    const before = last !== null && begins(last.events, events) ? last : null;
    const memory = before?.memory ?? { newest: null, checked: new Map<number, number>() };
    const depictions = before?.depictions.slice() ?? [];
    for (let seq = depictions.length; seq < events.length; seq += 1)
      depictions.push(depict(events[seq] as Event, memory));
    last = { events, depictions, memory };
    return { depictions, routine: routineExchanges(events) };
  },
  summarise: summariseRequests,
  disagreement: leadershipDisagreement,
};

/** Whether `longer` is the same line as `shorter`, gone on. Events are never changed, so their last one tells. */
function begins(shorter: readonly Event[], longer: readonly Event[]): boolean {
  if (shorter.length > longer.length) return false;
  const end = shorter.length - 1;
  return shorter[0] === longer[0] && shorter[end] === longer[end];
}

function depict(event: Event, memory: Memory): Depiction {
  switch (event.kind) {
    case "process-started":
      return event.incarnation > 1
        ? note(words(`restarts as ${event.identity}`, { short: "restarts" }))
        : note(aside("starts"));
    case "request-sent":
      return {
        ...PLAIN,
        sends: {
          to: LEASE_LANE,
          label: event.purpose === "raise-term" ? "raise term" : event.purpose,
          epoch: null,
          weight: "request",
          stale: false,
        },
      };
    case "request-served":
      return served(event, memory);
    case "request-unanswered":
      return {
        ...PLAIN,
        arrival: arrivalOf(event, "taken"),
        shape: record(words(`no answer: ${event.failure}`, { tone: "warn", short: "no answer" })),
      };
    case "model-diverged":
      return { ...PLAIN, shape: record(words("model and server differ", { tone: "bad", short: "differ" })) };
    case "foreign-write":
      return { ...PLAIN, shape: record(words("written by somebody else", { tone: "warn" })) };
    case "answer-received":
      return { ...PLAIN, arrival: arrivalOf(event, "taken") };
    case "answer-ignored":
      return {
        ...PLAIN,
        arrival: arrivalOf(event, "ignored"),
        shape: { kind: "note", words: aside("late answer, ignored", { short: "ignored" }) },
      };
    case "call-given-up":
      return note(words(`gives up waiting`, { tone: "warn" }));
    case "message-lost":
      return {
        ...PLAIN,
        arrival: { from: event.cause ?? event.seq, fate: "lost", meantFor: event.to },
        shape: { kind: "cross", words: words("lost", { tone: "warn" }) },
      };
    case "judged-expired":
      return note(
        words([`unchanged for ${event.unchangedForMs / 1000} s`, "by its own clock: expired"], {
          short: "expired",
        }),
      );
    case "new-leader":
    case "released":
      return PLAIN;
    case "started-leading":
      return note(
        words(event.token === "" ? "leads, no epoch" : `leads, epoch ${event.token}`, {
          epoch: event.acquisition,
          short: event.token,
        }),
      );
    case "renewed":
      return event.termRaised
        ? note(words(`raises its epoch to ${event.token}`, { epoch: event.acquisition, short: event.token }))
        : PLAIN;
    case "work-cancelled":
      return note(words(`stops its work: ${because(event.reason)}`, { short: "stops its work" }));
    case "work-aborted":
      return note(words("aborts its work", { tone: "warn" }));
    case "work-stopped":
      return note(aside("work stopped"));
    case "stopped-leading":
      return note(words(`steps down`, { tone: "plain" }));
    case "elector-ended":
      return note(aside("leaves the election"));
    case "leadership-checked":
      return note(words("“do I lead?” yes", { short: "checks" }));
    case "write-sent":
      return write(event, memory);
    case "write-checked":
      memory.checked.set(event.message, event.seq);
      return {
        ...PLAIN,
        arrival: arrivalOf(event, "taken"),
        shape: {
          kind: "cell",
          epoch: epochOf(event),
          text: event.value,
          style: "pending",
          below: words("checked"),
          completes: null,
        },
      };
    case "write-applied":
      return applied(event, memory);
    case "write-refused":
      return {
        ...PLAIN,
        sends: answerTo(event.node),
        arrival: arrivalOf(event, "refused"),
        shape: {
          kind: "cell",
          epoch: epochOf(event),
          text: refusalText(event),
          style: "refused",
          below: words(event.reason === "duplicate" ? "had it before" : "refused", {
            tone: refusalTone(event, memory),
          }),
          completes: null,
        },
      };
    case "write-answered":
      return { ...PLAIN, arrival: arrivalOf(event, "taken") };
    case "delegate":
      return note(aside(`delegate ${event.phase}`, { tone: event.phase === "failed" ? "warn" : "plain" }));
    case "envelope-accepted":
    case "envelope-forwarded":
      return PLAIN;
    case "envelopes-dropped":
      return note(words(`drops ${event.count} envelope${event.count === 1 ? "" : "s"}`, { tone: "bad" }));
    case "paused":
      return note(words("paused", { tone: "warn" }));
    case "resumed":
      return note(aside("resumes"));
    case "crashed":
      return { ...PLAIN, shape: { kind: "cross", words: words("crashes", { tone: "bad" }) } };
    case "asked-to-stop":
      return note(words("asked to stop"));
    case "link-cut":
      return note(words(`link to ${event.to} cut`, { tone: "warn", short: "link cut" }));
    case "link-healed":
      return note(words(`link to ${event.to} healed`, { short: "healed" }));
    case "delay-set":
      return note(words(`messages now take ${event.delayMs / 1000} s`, { tone: "warn", short: "slower" }));
    case "message-delayed":
      return fault(event, words(`held up for ${event.byMs / 1000} s`, { tone: "warn", short: "held up" }));
    case "message-doomed":
      return note(
        aside(
          event.fate === "refused"
            ? `will be answered ${event.code ?? ""}`
            : `its answer will be ${event.fate === "answer-lost" ? "lost" : "late"}`,
        ),
      );
    case "message-duplicated":
      return {
        ...note(words("sent twice", { tone: "warn" })),
        sends:
          event.facts === null
            ? null
            : {
                to: event.facts.sink,
                label: `write “${event.facts.value}” again`,
                epoch: epochOf(event.facts),
                weight: "work",
                stale: isStale(event.facts, memory),
              },
      };
    case "clock-rate-set":
      return note(words(`clock at ${event.rate} ×`, { tone: "warn" }));
    case "wall-clock-stepped":
      return note(
        words(`clock ${event.byMs > 0 ? "+" : "−"}${Math.abs(event.byMs) / 1000} s`, { tone: "warn" }),
      );
    case "lease-deleted":
      return { ...PLAIN, shape: record(words("deleted by hand", { tone: "bad", short: "deleted" })) };
    case "lease-edited":
      return { ...PLAIN, shape: record(words("edited by hand", { tone: "bad", short: "edited" })) };
    case "sink-restarted":
      return note(
        event.markBefore === event.markAfter
          ? words("restarts")
          : words([`restarts, forgets`, `its mark ${event.markBefore}`], {
              tone: "bad",
              short: "restarts",
            }),
      );
    default:
      // Another system's event, should one ever come here: a tick with its sentence.
      return PLAIN;
  }
}

const note = (text: Words): Depiction => ({ ...PLAIN, shape: { kind: "note", words: text } });

/** Words about a message: beside its sender, or below the line of a register or sink. */
function fault(event: Event, text: Words): Depiction {
  return event.lane === LEASE_LANE ? { ...PLAIN, shape: record(text) } : note(text);
}

type Look = Extract<Shape, { kind: "record" }>["look"];

const record = (text: Words | null, epoch: EpochFacts | null = null, look: Look = "hollow"): Shape => ({
  kind: "record",
  epoch,
  words: text,
  look,
});

function arrivalOf(event: Event, fate: Arrival["fate"]): Arrival | null {
  return event.cause === null ? null : { from: event.cause, fate, meantFor: null };
}

function served(event: Of<"request-served">, memory: Memory): Depiction {
  const refused = event.code >= 300 && !(event.code === 404 && event.purpose === "read");
  const base: Depiction = {
    ...PLAIN,
    // Its answer. Where it was lost at once, that event closes it.
    sends: answerTo(event.node),
    arrival: arrivalOf(event, refused ? "refused" : "taken"),
  };
  if (event.acquisition !== null) {
    memory.newest = { ordinal: event.acquisition, label: event.term ?? "" };
    const term = event.term === null ? "no term" : `term ${event.term}`;
    const text = words(`${event.node} · ${term}`, { epoch: event.acquisition, short: event.node });
    return { ...base, shape: record(text, memory.newest, "filled") };
  }
  if (refused) {
    const text = event.injected ? `${event.code}, injected` : `${event.code} ${event.reason ?? ""}`.trim();
    return { ...base, shape: record(words(text, { tone: "warn", short: String(event.code) })) };
  }
  if (event.purpose === "read") {
    if (event.code === 404) return { ...base, shape: record(aside("no Lease"), null, "dot") };
    const free = event.lease === null || (event.lease.spec.holderIdentity ?? "") === "";
    return { ...base, shape: record(free ? aside("nobody holds it") : null, null, "dot") };
  }
  if (event.purpose === "release")
    return { ...base, shape: record(words("released"), memory.newest, "hollow") };
  if (event.purpose === "raise-term") {
    memory.newest = { ordinal: memory.newest?.ordinal ?? 1, label: event.term ?? "" };
    const text = words(`term ${event.term ?? "none"}`, { epoch: memory.newest.ordinal });
    return { ...base, shape: record(text, memory.newest, "filled") };
  }
  if (event.purpose === "delete") return { ...base, shape: record(words("deleted")) };
  const text = aside(event.changed ? "renewed" : "unchanged");
  return { ...base, shape: record(text, memory.newest, "filled") };
}

const epochOf = (facts: { readonly acquisition: number; readonly token: string }): EpochFacts | null =>
  facts.acquisition < 1 ? null : { ordinal: facts.acquisition, label: facts.token };

const answerTo = (node: string): Sending => ({
  to: node,
  label: "",
  epoch: null,
  weight: "answer",
  stale: false,
});

const isStale = (facts: { readonly acquisition: number }, memory: Memory): boolean =>
  memory.newest !== null && facts.acquisition > 0 && facts.acquisition < memory.newest.ordinal;

function write(event: Of<"write-sent">, memory: Memory): Depiction {
  const stale = isStale(event, memory);
  const said = event.value === "claim" ? "claim" : `write “${event.value}”`;
  const stamp = event.token === "" ? ", no token" : stale ? `, stamped epoch ${event.token}` : "";
  return {
    ...PLAIN,
    sends: { to: event.sink, label: `${said}${stamp}`, epoch: epochOf(event), weight: "work", stale },
  };
}

function applied(event: Of<"write-applied">, memory: Memory): Depiction {
  const stale = event.newestBefore > event.acquisition && event.acquisition > 0;
  // A write that was checked before arrived then; what happens now is the act.
  const completes = memory.checked.get(event.message) ?? null;
  memory.checked.delete(event.message);
  return {
    ...PLAIN,
    sends: answerTo(event.node),
    arrival: completes === null ? arrivalOf(event, "taken") : null,
    shape: {
      kind: "cell",
      epoch: epochOf(event),
      text: event.value,
      style: stale ? "stale" : "applied",
      below: stale
        ? words(event.previous === null ? "out of order" : `overwrote ${event.previous}`, { tone: "bad" })
        : null,
      completes,
    },
  };
}

function refusalText(event: Of<"write-refused">): string {
  switch (event.reason) {
    case "stale":
      return apart(event.token, "<", event.mark);
    case "not-current":
      return apart(event.token, "≠", event.mark);
    case "no-token":
      return event.token === "" ? "no token" : "bad token";
    case "duplicate":
      return event.value;
    default:
      return unreachable(event.reason);
  }
}

/** Two numbers side by side; long ones from where they differ. */
export function apart(left: string, sign: string, right: string): string {
  if (left.length !== right.length || left.length <= DIGITS_MOST) return `${left} ${sign} ${right}`;
  let same = 0;
  while (same < left.length - 1 && left[same] === right[same]) same += 1;
  const cut = (digits: string): string => (same < 2 ? digits : `…${digits.slice(same)}`);
  return `${cut(left)} ${sign} ${cut(right)}`;
}

const DIGITS_MOST = 4;

/** A fence that refuses an old epoch does its work; one that refuses the newest leader is in the way. */
function refusalTone(event: Of<"write-refused">, memory: Memory): Words["tone"] {
  if (event.reason === "duplicate") return "plain";
  return isStale(event, memory) || event.acquisition < 1 ? "good" : "warn";
}

function because(reason: StopReason): string {
  switch (reason) {
    case "renew-deadline":
      return "no renewal in time";
    case "held-by-other":
      return "another holds the Lease";
    case "lease-gone":
      return "the Lease is gone";
    case "cancelled":
      return "asked to";
    default:
      return unreachable(reason);
  }
}

/**
 * The lesson of the three bands: a node believes that it leads while the Lease names another (a fence may not know yet),
 * and then while every fence would refuse it. And the other way round: it knows better, but its work goes on.
 */
function leadershipDisagreement(lane: string, readings: readonly BandReading[]): Disagreement | null {
  let believes = false;
  let named = false;
  let accepted = false;
  let other = "";
  for (const reading of readings) {
    if (reading.epoch === null) continue;
    if (reading.lane !== lane) {
      if (reading.band === "lease") other = reading.lane;
    } else if (reading.band === "believes") believes = true;
    else if (reading.band === "lease") named = true;
    else if (reading.band === "sink") accepted = true;
  }
  if (!believes && accepted && !named)
    return { key: "late", lines: ["leads no more, its write", "would still be accepted"], tone: "warn" };
  if (!believes || (named && accepted)) return null;
  if (!accepted && !named)
    return { key: "fenced", lines: ["believes it leads,", "no fence would agree"], tone: "bad" };
  if (!accepted)
    return { key: "refused", lines: ["leads, but the fence", "would refuse its epoch"], tone: "warn" };
  return {
    key: `named ${other}`,
    lines: ["believes it leads,", other === "" ? "the Lease names nobody" : `the Lease names ${other}`],
    tone: "bad",
  };
}
