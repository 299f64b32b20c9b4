// What a search is told about the leadership system: which faults there are, which durations, and how worlds fall apart.
import { attemptTimeoutMs } from "../../protocol/elector/epochLab/epochLab.ts";
import type { BudgetName, SearchAids, Timing } from "../search.ts";
import { FAULT_DELAY_MS } from "./enabled.ts";
import type { LeadershipAction } from "./action.ts";
import { assembleLeadership } from "./assembly/assembly.ts";
import type { Delay, LeadershipConfig } from "./config.ts";
import { electorConfigOf } from "./drive.ts";
import type { LeadershipWorld } from "./world.ts";

const budgets: readonly BudgetName[] = [
  { name: "pause", title: "a process stands still, and goes on at any later moment" },
  { name: "crash", title: "a process is gone" },
  {
    name: "restart",
    title: "a process that crashed or ended is started again, under its old or a new identity",
  },
  { name: "cancel", title: "a process is asked to stop" },
  { name: "lose", title: "a message is lost" },
  { name: "delay", title: `a message takes ${FAULT_DELAY_MS} ms longer than its bound` },
  { name: "duplicate", title: "a write is delivered twice" },
  { name: "cut", title: "a link between a node and the Lease API or a sink is cut, and may be healed" },
  {
    name: "api-error",
    title: "the Lease API answers 409, 422, 429, 500 or 504 without looking at the request",
  },
  { name: "lose-answer", title: "a request is served and its answer lost" },
  { name: "delay-answer", title: `a request is served and its answer ${FAULT_DELAY_MS} ms late` },
  { name: "clock", title: "a node's clock changes its rate" },
  { name: "delete-lease", title: "the Lease is deleted by hand" },
  { name: "strip-annotation", title: "the term annotation is stripped from the Lease by hand" },
  { name: "restart-sink", title: "a sink's process is restarted" },
];

function timingsOf(config: LeadershipConfig): readonly Timing[] {
  const found: Timing[] = [];
  const add = (name: string, ms: number, derived = false): void => {
    if (ms > 0) found.push({ name, ms, derived });
  };
  const addDelay = (name: string, delay: Delay | null): void => {
    if (delay === null) return;
    add(`${name} (least)`, delay.minMs);
    add(`${name} (most)`, delay.maxMs);
  };
  config.nodes.forEach((node, index) => {
    const of = (what: string): string => `${node.id}'s ${what}`;
    add(of("start"), node.startMs);
    addDelay(of("delay to the Lease API"), node.leaseDelay);
    addDelay(of("delay to the sinks"), node.sinkDelay);
    if (node.producer !== null) {
      add(of("producer's first write"), node.producer.firstMs);
      add(of("producer's period"), node.producer.periodMs);
    }
    if (node.profile === "noop") return;
    add(of("lease duration"), node.timings.leaseDurationMs);
    add(of("renew deadline"), node.timings.renewDeadlineMs);
    add(of("retry period"), node.timings.retryPeriodMs);
    if (node.profile === "client-go") {
      add(of("client time-out"), node.clientTimeoutMs);
      const { jitter, timings } = node;
      for (const draw of jitter) add(of("jitter"), Math.floor(draw * 1.2 * timings.retryPeriodMs), true);
    } else {
      add(of("drain timeout"), node.drainTimeoutMs);
      const process = { incarnation: 1, identity: node.id };
      add(of("attempt time-out"), attemptTimeoutMs(electorConfigOf(config, index, process)), true);
    }
  });
  for (const sink of config.sinks)
    if (sink.enforcement === "check-then-act") addDelay(`${sink.id}'s time from check to act`, sink.act);
  addDelay("delay to the Lease API", config.network.leaseDelay);
  addDelay("delay to the sinks", config.network.sinkDelay);
  if (config.work.kind === "loop") {
    const { warmUpMs, periodMs, thinkMs, callTimeoutMs, cleanupMs } = config.work;
    add("warm-up of the work", warmUpMs);
    add("period of the work", periodMs);
    add("time to think of a write", thinkMs);
    add("time-out of a write", callTimeoutMs);
    add("clean-up of the work", cleanupMs);
  }
  if (config.work.kind === "route") {
    const { processMs, callTimeoutMs, drainTimeoutMs, lingerMs } = config.work;
    add("time to process an exchange", processMs);
    add("time-out of a write", callTimeoutMs);
    add("drain timeout of the route", drainTimeoutMs);
    add("lingering of the delegate", lingerMs);
  }
  return found;
}

/**
 * Digitisation (Henzinger, Manna, Pnueli 1992) needs bounds that include their ends, and clocks that run alike.
 */
function inexact(config: LeadershipConfig): readonly string[] {
  const said: string[] = [];
  for (const node of config.nodes) {
    if (node.clock.ratePermille !== 1000)
      said.push(
        `${node.id}'s clock runs at ${node.clock.ratePermille / 1000} times the true rate, so its times are not whole units: moments between two units are not tried.`,
      );
    if (node.profile === "client-go")
      said.push(
        `${node.id} is client-go, whose lease is valid strictly before its end: the very last instant is tried, moments within a unit of it are not.`,
      );
  }
  if (config.work.kind === "route")
    said.push(
      "A route's delegate ticks by periods that are not part of the unit: moments between may be missed.",
    );
  return said;
}

/** Invariants that take two acquisitions to break, and so a takeover. */
const TAKES_TWO =
  /^(ordered:|one-|two-believe|epochs-increase|no-epoch-twice|stale-|fence-respected|release-own)/;

function leastHorizonMs(config: LeadershipConfig, invariant: string): number {
  if (!TAKES_TWO.test(invariant) || config.nodes.some((node) => node.profile === "noop")) return 0;
  const shortest = Math.min(...config.nodes.map((node) => node.timings.leaseDurationMs));
  // A released Lease is taken without waiting, so only the first acquisition is sure to take time.
  const answers = Math.min(
    ...config.nodes.map((node) => (node.leaseDelay ?? config.network.leaseDelay).minMs),
  );
  return config.nodes.some((node) => node.release) ? answers * 4 : shortest;
}

export const leadershipSearch: SearchAids<LeadershipConfig, LeadershipWorld, LeadershipAction> = {
  budgets,
  timings: timingsOf,
  inexact,
  leastHorizonMs,
  usual: (config) => (config.sinks.length > 0 ? config.sinks.map(({ id }) => `ordered:${id}`) : ["one-acts"]),
  choices:
    (_config, { ratesPermille }) =>
    (world) =>
      world.nodes.flatMap((node) =>
        node.status === "running" || node.status === "paused"
          ? ratesPermille
              .filter((ratePermille) => ratePermille !== node.clock.ratePermille)
              .map((ratePermille) => ({ kind: "set-rate" as const, node: node.id, ratePermille }))
          : [],
      ),
  assembly: assembleLeadership,
};
