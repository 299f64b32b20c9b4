// One plain sentence for every event: inspector, screen reader, goldens and exports all say the same.
import { unreachable } from "../../base/assert.ts";
import type { StopReason } from "../../protocol/elector/contract.ts";
import type { LeadershipEvent, RequestPurpose, WriteRefusal } from "./event.ts";

type Of<Kind extends LeadershipEvent["kind"]> = Extract<LeadershipEvent, { kind: Kind }>;

export function narrateLeadership(event: LeadershipEvent): string {
  switch (event.kind) {
    case "process-started":
      return `${event.node} starts as "${event.identity}".`;
    case "request-sent":
      return `${event.node} ${asks(event.purpose)}.`;
    case "request-served":
      return served(event);
    case "request-unanswered":
      return `The API server gives no answer to ${event.node}'s ${event.purpose} request (${event.detail}); it may have been committed.`;
    case "model-diverged":
      return `Model and server differ in ${event.about} for ${event.node}'s ${event.purpose} request: the model says ${event.model}, the server ${event.server}.`;
    case "foreign-write":
      return event.whose === "own"
        ? `The request that got no answer had been committed after all: ${event.what}.`
        : `Somebody else writes the Lease: ${event.what}.`;
    case "answer-received":
      return event.code < 300
        ? `${event.node} hears that its ${event.purpose} request succeeded.`
        : `${event.node} hears ${event.code} to its ${event.purpose} request.`;
    case "call-given-up":
      return `${event.node} gives up waiting for the answer to its ${event.purpose} request; it may have been committed all the same.`;
    case "answer-ignored":
      return `An answer reaches ${event.node}, where nobody waits for it any more.`;
    case "message-lost":
      return `${capital(event.what)} from ${event.from} to ${event.to} is lost.`;
    case "judged-expired":
      return `${event.node} has seen the Lease of "${event.holder}" unchanged for ${seconds(event.unchangedForMs)} by its own clock and judges it expired.`;
    case "new-leader":
      return event.identity === ""
        ? `${event.node} observes that nobody holds the Lease.`
        : `${event.node} observes that "${event.identity}" holds the Lease.`;
    case "started-leading":
      return `${event.node} leads${event.token === "" ? ", without a token" : `, epoch ${event.token}`}.`;
    case "renewed":
      return event.termRaised
        ? `${event.node} still leads and has raised its epoch to ${event.token}.`
        : `${event.node} has renewed and leads on.`;
    case "work-cancelled":
      return `${event.node} cancels its guarded work: ${because(event.reason)}.`;
    case "work-aborted":
      return `${event.node} aborts its guarded work: the drain timeout is over. What was sent cannot be called back.`;
    case "work-stopped":
      return `${event.node}'s guarded work has stopped.`;
    case "stopped-leading":
      return `${event.node} no longer leads: ${because(event.reason)}.`;
    case "released":
      return `${event.node} has given the Lease up.`;
    case "elector-ended":
      return `${event.node} has left the election.`;
    case "leadership-checked":
      return `${event.node} asks "do I lead?", hears yes, and prepares to write ${event.value}.`;
    case "write-sent":
      return event.value === "claim"
        ? `${event.node} sends a claim to ${event.sink}, ${stamped(event.token)}.`
        : `${event.node} sends ${event.value} to ${event.sink}, ${stamped(event.token)}.`;
    case "write-checked":
      return `${event.sink} compares ${event.value}, ${stamped(event.token)}, with its mark ${event.mark} and finds nothing against it; it will act in a moment.`;
    case "write-applied":
      return applied(event);
    case "write-refused":
      return `${event.sink} refuses ${event.value} of ${event.node}: ${refusal(event.reason, event.token, event.mark, event.key)}.`;
    case "write-answered":
      return event.verdict === "applied"
        ? `${event.node} hears that ${event.sink} has applied ${event.value}.`
        : `${event.node} hears that ${event.sink} has refused ${event.value}.`;
    case "delegate":
      return `${event.node}'s delegate is ${event.phase}${event.detail === "" ? "" : `: ${event.detail}`}.`;
    case "envelope-accepted":
      return `${event.node}'s bridge accepts envelope ${event.envelope} and stamps it epoch ${event.token}; ${event.queued} queued.`;
    case "envelope-forwarded":
      return `${event.node}'s pipeline takes envelope ${event.envelope}, stamped epoch ${event.token}.`;
    case "envelopes-dropped":
      return `${event.node} drops ${event.count} accepted envelope${event.count === 1 ? "" : "s"}: ${event.why}.`;
    case "paused":
      return `${event.node} is paused: its process stands still, its clocks go on.`;
    case "resumed":
      return `${event.node} resumes after ${seconds(event.pausedForMs)} and knows nothing of it.`;
    case "crashed":
      return `${event.node} crashes.`;
    case "asked-to-stop":
      return `${event.node} is asked to stop.`;
    case "link-cut":
      return `The link between ${event.node} and ${event.to} is cut.`;
    case "link-healed":
      return `The link between ${event.node} and ${event.to} works again.`;
    case "delay-set":
      return `From now on messages between ${event.node} and ${event.to === "lease" ? "the Lease API" : "the sinks"} take ${seconds(event.delayMs)} each way.`;
    case "message-delayed":
      return `${capital(event.what)} is held up for ${seconds(event.byMs)}.`;
    case "message-doomed":
      return doomed(event);
    case "message-duplicated":
      return `${capital(event.what)} will be delivered twice.`;
    case "clock-rate-set":
      return `${event.node}'s clock now runs at ${event.rate} times the true rate.`;
    case "wall-clock-stepped":
      return `${event.node}'s wall clock steps ${event.byMs > 0 ? "forward" : "back"} by ${seconds(Math.abs(event.byMs))}.`;
    case "lease-deleted":
      return "Somebody deletes the Lease.";
    case "lease-edited":
      return `Somebody edits the Lease: ${event.what}.`;
    case "sink-restarted":
      return event.markBefore === event.markAfter
        ? `${event.sink} restarts; its mark is still ${event.markAfter}.`
        : `${event.sink} restarts and forgets its mark: ${event.markBefore} before, ${event.markAfter} now.`;
    default:
      return unreachable(event);
  }
}

function asks(purpose: RequestPurpose): string {
  switch (purpose) {
    case "read":
      return "reads the Lease";
    case "create":
      return "asks to create the Lease";
    case "acquire":
      return "asks to take the Lease over";
    case "renew":
      return "asks to renew the Lease";
    case "release":
      return "asks to give the Lease up";
    case "raise-term":
      return "asks to raise the Lease's term";
    case "delete":
      return "asks to delete the Lease";
    default:
      return unreachable(purpose);
  }
}

function served(event: Of<"request-served">): string {
  const what = `${event.node}'s ${event.purpose} request`;
  if (event.injected) return `The Lease API answers ${event.code} to ${what} without looking at it.`;
  if (event.code === 404) return `The Lease API finds no Lease for ${what}.`;
  if (event.code >= 300) return `The Lease API refuses ${what}: ${event.code} ${event.reason ?? ""}.`;
  if (event.acquisition !== null)
    return `The Lease now names ${event.node}${event.term === null ? "" : `: term ${event.term}`}.`;
  if (event.purpose === "read") {
    const holder = event.lease?.spec.holderIdentity ?? "";
    return holder === ""
      ? `The Lease API tells ${event.node} that nobody holds the Lease.`
      : `The Lease API tells ${event.node} that "${holder}" holds the Lease.`;
  }
  if (event.purpose === "release") return `The Lease names nobody any more; ${event.node} gave it up.`;
  if (event.purpose === "raise-term")
    return `The Lease carries term ${event.term ?? "none"} now, raised by ${event.node}.`;
  return event.changed
    ? `The Lease is renewed by ${event.node}.`
    : `The Lease API accepts ${what}; nothing changes.`;
}

function applied(event: Of<"write-applied">): string {
  const what =
    event.value === "claim"
      ? `${event.sink} takes ${event.node}'s claim; its mark is ${event.mark} now`
      : `${event.sink} applies ${event.value} of ${event.node}, ${stamped(event.token)}`;
  if (event.newestBefore <= event.acquisition || event.value === "claim") return `${what}.`;
  return event.previous === null
    ? `${what}, although a newer leader has written here.`
    : `${what}, although a newer leader has written here: ${event.previous} is overwritten.`;
}

function refusal(reason: WriteRefusal, token: string, mark: string, key: string): string {
  switch (reason) {
    case "stale":
      return `${token} is below its mark ${mark}`;
    case "duplicate":
      return `it has applied key ${key} before`;
    case "no-token":
      return `"${token}" is no usable token`;
    case "not-current":
      return `${token} is not its current token ${mark}`;
    default:
      return unreachable(reason);
  }
}

function because(reason: StopReason): string {
  switch (reason) {
    case "renew-deadline":
      return "no renewal succeeded within the deadline";
    case "held-by-other":
      return "the Lease names another holder";
    case "lease-gone":
      return "the Lease does not exist any more";
    case "cancelled":
      return "it was asked to stop";
    default:
      return unreachable(reason);
  }
}

function doomed(event: Of<"message-doomed">): string {
  switch (event.fate) {
    case "refused":
      return `The Lease API is going to answer ${event.code ?? 0} to ${event.what} without looking at it.`;
    case "answer-lost":
      return `The answer to ${event.what} is going to be lost after it was served.`;
    case "answer-late":
      return `The answer to ${event.what} is going to be ${seconds(event.byMs ?? 0)} late.`;
    default:
      return unreachable(event.fate);
  }
}

const stamped = (token: string): string => (token === "" ? "without a token" : `stamped epoch ${token}`);

/** `19.00 s`, `0.25 s`. */
export const seconds = (value: number): string =>
  `${value % 1000 === 0 ? value / 1000 : (value / 1000).toFixed(2)} s`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
