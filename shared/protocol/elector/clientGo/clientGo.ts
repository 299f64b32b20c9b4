// The `client-go` profile: k8s.io/client-go tools/leaderelection v0.36.3 as a pure machine, its weaknesses included.
// The transcripts under e2e/oracle prove that it makes the same requests and callbacks at the same milliseconds.
//
// The intuition: Run is two loops. `acquire` tries, sleeps and tries until it wins; `renew` then opens windows in which it
// must succeed once. Where the Go code waits in a `select`, the machine has a place and timers; what the Go code does
// between two waits is one step.
import { unreachable } from "../../../base/assert.ts";
import type { ElectorConfig, ElectorInput, Instant } from "../contract.ts";
import { afterAcquireStep, attemptToAcquire, cancelAcquire } from "./acquire.ts";
import { continueAttempt } from "./attempt.ts";
import { afterRenewStep, cancelRest, endWindow, openWindow, tick } from "./renew.ts";
import { cancelRelease, continueRelease, endRelease, stop } from "./release.ts";
import { memoryOf, type ClientGoElector, type Stepped } from "./state.ts";

export type { ClientGoElector } from "./state.ts";

/** An elector before `start`. The configuration is taken as it is: `validateClientGo` says what client-go would refuse. */
export function createClientGo(config: ElectorConfig): ClientGoElector {
  return {
    profile: "client-go",
    config,
    observed: null,
    raw: null,
    cached: null,
    reported: "",
    nextCall: 1,
    nextDraw: 0,
    kind: "new",
    cancelled: false,
  };
}

/**
 * One step. Timers: `retry` (acquire's sleep), `renew` (the next window), `tick` and `deadline` (within a window),
 * `release` (the release's own deadline). An answer to a call that was given up is ignored, as is `work-stopped`: nothing
 * in client-go waits for the work. A refusal as stale is unknown to it.
 */
export function stepClientGo(elector: ClientGoElector, input: ElectorInput): Stepped {
  switch (input.kind) {
    case "start":
      return start(elector, input.at);
    case "timer":
      return timer(elector, input.timer, input.at);
    case "answer":
      return answer(elector, input);
    case "cancel":
      return cancel(elector, input.at);
    case "work-stopped":
    case "refused-as-stale":
      return [elector, []];
    default:
      return unreachable(input);
  }
}

function start(elector: ClientGoElector, at: Instant): Stepped {
  if (elector.kind !== "new") return [elector, []];
  return elector.cancelled ? stop(elector, [], "cancelled") : attemptToAcquire(elector, at);
}

function timer(elector: ClientGoElector, name: string, at: Instant): Stepped {
  switch (elector.kind) {
    case "waiting":
      return name === "retry" ? attemptToAcquire(elector, at) : [elector, []];
    case "resting":
      return name === "renew" ? openWindow(elector, at) : [elector, []];
    case "renewing":
      return name === "deadline" ? endWindow(elector, "renew-deadline", at) : [elector, []];
    case "polling":
      if (name === "deadline") return endWindow(elector, "renew-deadline", at);
      return name === "tick" ? tick(elector, at) : [elector, []];
    case "releasing":
      return name === "release" ? endRelease(elector) : [elector, []];
    case "new":
    case "acquiring":
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}

function answer(elector: ClientGoElector, input: Extract<ElectorInput, { kind: "answer" }>): Stepped {
  const { call, result, at } = input;
  switch (elector.kind) {
    case "acquiring":
      return elector.attempt.call === call
        ? afterAcquireStep(continueAttempt(memoryOf(elector), elector.attempt, result, at), at)
        : [elector, []];
    case "renewing":
      return elector.attempt.call === call
        ? afterRenewStep(continueAttempt(memoryOf(elector), elector.attempt, result, at), elector.window, at)
        : [elector, []];
    case "releasing":
      return elector.call === call ? continueRelease(elector, result, at) : [elector, []];
    case "new":
    case "waiting":
    case "resting":
    case "polling":
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}

function cancel(elector: ClientGoElector, at: Instant): Stepped {
  switch (elector.kind) {
    case "new":
      return [{ ...elector, cancelled: true }, []];
    case "acquiring":
    case "waiting":
      return cancelAcquire(elector);
    case "resting":
      return cancelRest(elector, at);
    case "renewing":
    case "polling":
      return endWindow(elector, "cancelled", at);
    case "releasing":
      return cancelRelease(elector);
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}
