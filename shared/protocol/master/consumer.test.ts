import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConsumerInput } from "./consumer.ts";
import { MASTER_VARIANTS, type MasterConfig, type MasterVariant } from "./contract.ts";
import { encodeConsumer } from "./encode.ts";
import { DEFAULT_MASTER } from "./master.ts";
import { DEFAULT_PLAN, type CreatePlan, type DelegatePlan, type DelegateScript } from "./plan.ts";
import { advancePlay, feedPlay, playConsumer, startPlay, type Play, type Played } from "./play.ts";

/** Something that is done to the consumer after a while. */
interface Move {
  readonly afterMs: number;
  readonly what: "lead" | "lose" | "raise" | "abort" | "cancel-route" | "stop";
}

const delayMs = fc.constantFrom(0, 10, 30, 100, 250);
const failure = fc.constantFrom("io" as const, "permanent" as const, null);

const plan: fc.Arbitrary<DelegatePlan> = fc
  .record({
    style: fc.constantFrom("blocking" as const, "background" as const, "detached" as const),
    startMs: delayMs,
    startError: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: failure }),
    emitEveryMs: fc.constantFrom(0, 10, 70),
    emitCount: fc.integer({ min: 0, max: 12 }),
    burst: fc.integer({ min: 1, max: 3 }),
    endMs: fc.constantFrom(null, null, 100),
    failMs: fc.constantFrom(null, null, 150),
    ignoreCancel: fc.boolean(),
    lingerMs: delayMs,
    flush: fc.integer({ min: 0, max: 3 }),
    cancelError: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: failure }),
    stopMs: delayMs,
  })
  .map((some) => ({ ...DEFAULT_PLAN, ...some }));

const script: fc.Arbitrary<DelegateScript> = fc.record({
  creates: fc.array(fc.constantFrom<CreatePlan>("ok", "ok", "io", "consumer-io"), { maxLength: 4 }),
  plans: fc.array(plan, { maxLength: 3 }),
});

const moves = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 5, 20, 100, 300, 1000),
    what: fc.constantFrom<Move["what"]>(
      "lead",
      "lead",
      "lose",
      "lose",
      "raise",
      "abort",
      "cancel-route",
      "stop",
    ),
  }),
  { maxLength: 12 },
);

const configOf = (variant: MasterVariant): MasterConfig => ({
  ...DEFAULT_MASTER,
  variant,
  drainTimeoutMs: 200,
  bridgeCapacity: 2,
  pipelineCapacity: 3,
  reconnect: { ...DEFAULT_MASTER.reconnect, maxAttempts: 3, jitterFactor: 0 },
});

/** Moves as inputs at their times; epochs rise with every acquisition, as an elector's do. */
function inputsOf(list: readonly Move[]): readonly { readonly t: number; readonly input: ConsumerInput }[] {
  let t = 0;
  let epoch = 0;
  let acquisition = 0;
  return [
    { t: 0, input: { kind: "start" } },
    ...list.map(({ afterMs, what }): { readonly t: number; readonly input: ConsumerInput } => {
      t += afterMs;
      switch (what) {
        case "lead":
          epoch += 1;
          acquisition += 1;
          return {
            t,
            input: { kind: "leadership", change: "started", epoch: String(epoch), acquisition },
          };
        case "lose":
          return { t, input: { kind: "leadership", change: "stopped" } };
        case "raise":
          epoch += 1;
          return { t, input: { kind: "leadership", change: "epoch", epoch: String(epoch) } };
        case "abort":
        case "cancel-route":
        case "stop":
          return { t, input: { kind: what } };
      }
    }),
  ];
}

function envelopes(
  played: readonly Played[],
  kind: "accepted" | "forwarded" | "exchange",
): readonly number[] {
  return played.flatMap(({ output }) => (output.kind === kind ? [output.envelope] : []));
}

const dropped = (played: readonly Played[], where: "bridge" | "pipeline"): readonly number[] =>
  played.flatMap(({ output }) =>
    output.kind === "dropped" && output.where === where
      ? output.envelopes.map((facts) => facts.envelope)
      : [],
  );

const numeric = (list: readonly number[]): readonly number[] => list.toSorted((a, b) => a - b);

describe("the consumer, whatever happens to it", () => {
  for (const variant of MASTER_VARIANTS) {
    it(`${variant}: loses no accepted envelope without saying so, repeats none, keeps order and stamp`, () => {
      fc.assert(
        fc.property(script, moves, (delegates, list) => {
          const play = startPlay(configOf(variant), delegates, 20);
          const [end, played] = playConsumer(play, inputsOf(list), 6000);
          const { run, pipeline } = end.consumer.master;
          const accepted = envelopes(played, "accepted");
          const exchanged = envelopes(played, "exchange");
          const held = run?.bridge?.held.map((envelope) => envelope.id) ?? [];
          const queued = pipeline.queue.map(({ facts }) => facts.envelope);
          expect(numeric(accepted)).toEqual(
            numeric([...envelopes(played, "forwarded"), ...dropped(played, "bridge"), ...held]),
          );
          expect(numeric(envelopes(played, "forwarded"))).toEqual(
            numeric([...exchanged, ...dropped(played, "pipeline"), ...queued]),
          );
          expect(exchanged).toEqual(numeric(exchanged));
          expect(new Set(accepted).size).toBe(accepted.length);
          const epochs = new Map<number, string>();
          for (const { output } of played) {
            if (output.kind !== "exchange") continue;
            expect(output.properties["x-camel-leader-epoch"] ?? "").toBe(output.epoch);
            expect(epochs.get(output.run) ?? output.epoch).toBe(output.epoch);
            epochs.set(output.run, output.epoch);
          }
        }),
        { numRuns: 300, seed: 1 },
      );
    });
  }

  it("epoch-lab: nothing guarded runs when it says that work has stopped, and it says so within the drain timeout", () => {
    fc.assert(
      fc.property(script, moves, (delegates, list) => {
        const config = configOf("epoch-lab");
        let play: Play = startPlay(config, delegates, 20);
        let owedSince: number | null = null;
        const check = ([after, played]: readonly [Play, readonly Played[]]): void => {
          play = after;
          for (const { t, output } of played) {
            if (output.kind !== "work-stopped") continue;
            expect(t - (owedSince ?? t)).toBeLessThanOrEqual(config.drainTimeoutMs);
            owedSince = null;
          }
          const { master } = play.consumer;
          if (owedSince === null && master.loop.kind === "lab" && master.loop.leading === null) {
            expect(master.pipeline).toMatchObject({ inHand: null, queue: [] });
            expect(master.run).toBeNull();
          }
        };
        for (const { t, input } of inputsOf(list)) {
          check(advancePlay(play, t));
          if (owedSince === null && input.kind === "leadership" && input.change === "stopped")
            owedSince = play.nowMs;
          check(feedPlay(play, input));
        }
        check(advancePlay(play, play.nowMs + 1000));
        expect(owedSince).toBeNull();
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  for (const variant of MASTER_VARIANTS) {
    it(`${variant}: plays the same at any time of day, with the same keys`, () => {
      fc.assert(
        fc.property(script, moves, (delegates, list) => {
          const early = trace(variant, delegates, list, 0);
          // A whole number of ticks later.
          const late = trace(variant, delegates, list, 1_000_000);
          expect(late).toEqual(early);
        }),
        { numRuns: 60, seed: 1 },
      );
    });

    it(`${variant}: equal keys mean equal futures`, () => {
      const futures = new Map<string, string>();
      let met = 0;
      fc.assert(
        fc.property(
          fc.array(
            fc.record({
              afterMs: fc.constantFrom(50, 200),
              what: fc.constantFrom<Move["what"]>("lead", "lose"),
            }),
            {
              maxLength: 8,
            },
          ),
          (list) => {
            const delegates: DelegateScript = {
              creates: ["io", "ok"],
              plans: [{ ...DEFAULT_PLAN, emitEveryMs: 70, emitCount: null, lingerMs: 30 }],
            };
            // Epoch and acquisition stay the same, so that paths can meet.
            const inputs = inputsOf(list).map(({ t, input }) => ({
              t,
              input:
                input.kind === "leadership" && input.change === "started"
                  ? { ...input, epoch: "7", acquisition: 1 }
                  : input,
            }));
            const [play] = playConsumer(
              startPlay(configOf(variant), delegates, 20),
              inputs,
              inputs.at(-1)?.t ?? 0,
            );
            const key = keyOf(play);
            const future = JSON.stringify(
              futureOf(play, [
                { afterMs: 300, what: "lose" },
                { afterMs: 200, what: "lead" },
                { afterMs: 400, what: "cancel-route" },
              ]),
            );
            if (futures.has(key)) met += 1;
            expect(futures.get(key) ?? future).toBe(future);
            futures.set(key, future);
          },
        ),
        { numRuns: 400, seed: 1 },
      );
      expect(met).toBeGreaterThan(100);
      expect(futures.size).toBeGreaterThan(10);
    });
  }
});

/** Key of a play: the consumer's, and what the play itself holds. */
function keyOf(play: Play): string {
  const parts: (number | string)[] = [];
  encodeConsumer(play.consumer, (part) => parts.push(part), play.nowMs);
  for (const name of Object.keys(play.timers).toSorted())
    parts.push(name, (play.timers[name] ?? 0) - play.nowMs);
  parts.push(play.working === null ? "" : play.working.untilMs - play.nowMs);
  return parts.join("|");
}

/** Outputs with times from now, and without the numbers that only count. */
function futureOf(play: Play, list: readonly Move[]): readonly unknown[] {
  const inputs = inputsOf(list)
    .slice(1)
    .map(({ t, input }) => ({ t: t + play.nowMs, input }));
  const [, played] = playConsumer(play, inputs, play.nowMs + 3000);
  return played.map(({ t, output }) => [t - play.nowMs, withoutCounts(output, play.nowMs)]);
}

function withoutCounts(output: Played["output"], nowMs: number): unknown {
  return JSON.parse(
    JSON.stringify(output, (key, value: unknown) => {
      if (key === "run" || key === "envelope" || key === "n" || key === "attempts" || key === "plan")
        return undefined;
      if (key === "blockedMs" || key === "detail") return undefined;
      if (key === "dueMs") return Number(value) - nowMs;
      return value;
    }),
  ) as unknown;
}

/** Everything that comes out, and the key after every move, with times from the beginning. */
function trace(
  variant: MasterVariant,
  delegates: DelegateScript,
  list: readonly Move[],
  beginMs: number,
): readonly unknown[] {
  let play: Play = { ...startPlay(configOf(variant), delegates, 20), nowMs: beginMs };
  const seen: unknown[] = [];
  const take = ([after, played]: readonly [Play, readonly Played[]]): void => {
    play = after;
    seen.push(
      ...played.map(({ t, output }) => [
        t - beginMs,
        output.kind === "set-timer" ? { ...output, dueMs: output.dueMs - beginMs } : output,
      ]),
      keyOf(play),
    );
  };
  for (const { t, input } of inputsOf(list)) {
    take(advancePlay(play, beginMs + t));
    take(feedPlay(play, input));
  }
  take(advancePlay(play, play.nowMs + 2000));
  return seen;
}
