import { describe, expect, it } from "vitest";
import { sentence } from "../../base/result.ts";
import type { DelegatePlan } from "./plan.ts";
import { timerPlan } from "./timer.ts";
import { parseComponentUri } from "./uri.ts";

function planOf(text: string, how?: Parameters<typeof timerPlan>[1]) {
  const uri = parseComponentUri(text);
  if (!uri.ok) throw new Error(sentence(uri.error));
  return timerPlan(uri.value, how);
}

const plans: readonly {
  readonly why: string;
  readonly uri: string;
  readonly how?: Parameters<typeof timerPlan>[1];
  readonly plan: Partial<DelegatePlan>;
}[] = [
  {
    why: "ticks at once and then every second",
    uri: "timer:tick",
    plan: { emitFirstMs: 0, emitEveryMs: 1000, emitCount: null, endWhenDone: false },
  },
  {
    why: "takes period and delay",
    uri: "timer:tick?period=250&delay=30",
    plan: { emitFirstMs: 30, emitEveryMs: 250 },
  },
  {
    why: "ends by itself after its last tick",
    uri: "timer:tick?repeatCount=5",
    plan: { emitCount: 5, endWhenDone: true },
  },
  {
    why: "takes what no URI says",
    uri: "timer:tick",
    how: { burst: 3, lingerMs: 40 },
    plan: { burst: 3, lingerMs: 40 },
  },
];

describe("timerPlan", () => {
  for (const row of plans)
    it(row.why, () => expect(planOf(row.uri, row.how)).toMatchObject({ ok: true, value: row.plan }));

  const refused: readonly { readonly why: string; readonly uri: string; readonly says: RegExp }[] = [
    { why: "a period of 0", uri: "timer:tick?period=0", says: /^period: .*from 1 .*got "0"/ },
    { why: "a period in words", uri: "timer:tick?period=1s", says: /^period: .*got "1s"/ },
    { why: "a name of nothing", uri: "timer:?period=5", says: /^path: expected a name/ },
    { why: "another component", uri: "seda:tick", says: /^scheme: expected a timer/ },
    {
      why: "an option that no timer has",
      uri: "timer:tick?peroid=5",
      says: /^peroid: expected one of period, delay/,
    },
  ];
  for (const row of refused)
    it(`refuses ${row.why}`, () => {
      const plan = planOf(row.uri);
      expect(plan.ok).toBe(false);
      if (!plan.ok) expect(plan.error.map(sentence).join("\n")).toMatch(row.says);
    });
});
