// A schedule of the Camel oracle's `master` program: what is done to the consumer, and when.
import { parse } from "smol-toml";
import { failed, ok, type Result } from "../../../shared/base/result.ts";
import { parseWith } from "../../../shared/base/schema.ts";
import * as z from "../../../shared/base/zod.ts";
import { DEFAULT_PLAN, type DelegatePlan } from "../../../shared/protocol/master/plan.ts";
import { RECONNECT_TABLE_DEFAULTS, type ReconnectPolicy } from "../../../shared/protocol/master/reconnect.ts";
import { readMasterTable, type MasterSettings } from "../../../shared/protocol/master/settings.ts";

const ms = z.int().min(0);
const error = z.enum(["io", "transient", "permanent"]);

const delegate = z.strictObject({
  style: z.enum(["blocking", "background", "detached"]).default("blocking"),
  start_ms: ms.default(0),
  start_error: error.nullable().default(null),
  emit_first_ms: ms.default(0),
  emit_every_ms: ms.default(0),
  emit_count: ms.default(0),
  wait_reply: z.boolean().default(false),
  end_ms: ms.nullable().default(null),
  fail_ms: ms.nullable().default(null),
  fail_kind: error.default("io"),
  ignore_cancel: z.boolean().default(false),
  linger_ms: ms.default(0),
  flush: ms.default(0),
  cancel_error: error.nullable().default(null),
  stop_ms: ms.default(0),
  stop_error: error.nullable().default(null),
  leak_sender: z.boolean().default(false),
});

const create = z.enum([
  "ok",
  "io",
  "transient",
  "permanent",
  "consumer-io",
  "consumer-transient",
  "consumer-permanent",
]);

const op = z.strictObject({
  t: ms,
  op: z.enum(["started", "stopped", "epoch", "close"]),
  epoch: z.int().min(0).optional(),
});

const scheduleSchema = z.strictObject({
  about: z.string().default(""),
  modes: z.array(z.enum(["consumer", "route"])),
  uri: z.string().default("master:orders:fake:src"),
  drain_timeout_ms: ms.default(5000),
  reconnect: z
    .strictObject({
      enabled: z.boolean().optional(),
      max_attempts: ms.optional(),
      initial_delay_ms: ms.optional(),
      multiplier: z.number().optional(),
      max_delay_ms: ms.optional(),
      jitter_factor: z.literal(0).optional(),
      max_attempts_absolute: ms.optional(),
    })
    .optional(),
  toml: z.string().optional(),
  leadership: z
    .strictObject({
      service: z.enum(["scripted", "noop"]).default("scripted"),
      unseen_snapshot: z.boolean().default(false),
      step_down_ms: ms.default(0),
      ops: z.array(op).default([]),
    })
    .prefault({}),
  delegate: z.array(delegate).default([]),
  creates: z.array(create).default([]),
  pipeline: z
    .strictObject({ per_exchange_ms: ms.default(0), capacity: z.int().min(1).default(256) })
    .prefault({}),
  actions: z
    .array(
      z.strictObject({
        t: ms,
        do: z.enum([
          "cancel",
          "stop",
          "status",
          "stop_route",
          "start_route",
          "suspend",
          "resume",
          "stop_context",
        ]),
      }),
    )
    .default([]),
  supervision: z.unknown().optional(),
  shutdown_timeout_ms: ms.default(5000),
  end: ms,
});

export type Schedule = z.infer<typeof scheduleSchema>;
export type LeadershipOp = Schedule["leadership"]["ops"][number];

/** Parses a schedule file's text. Keys that this program does not know are refused, as the oracle refuses them. */
export function parseSchedule(text: string): Result<Schedule> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (problem) {
    return failed([
      {
        path: "",
        expected: "a schedule as JSON",
        got: problem instanceof Error ? problem.message : String(problem),
        remedy: "Correct the file.",
      },
    ]);
  }
  const parsed = parseWith<Schedule>(scheduleSchema as unknown as z.ZodType<Schedule>, value);
  return parsed.ok ? ok(parsed.value) : parsed;
}

/** The component's settings that a schedule asks for. `toml` stands for the whole table. */
export function settingsOf(schedule: Schedule): MasterSettings {
  if (schedule.toml !== undefined) return readMasterTable(parse(schedule.toml));
  const table = schedule.reconnect;
  return {
    drainTimeoutMs: schedule.drain_timeout_ms,
    reconnect:
      table === undefined
        ? { ...NO_JITTER, maxAttempts: 0 }
        : readMasterTable({ reconnect: { jitter_factor: 0, ...table } }).reconnect,
  };
}

const NO_JITTER: ReconnectPolicy = { ...RECONNECT_TABLE_DEFAULTS, jitterFactor: 0 };

export const plansOf = (schedule: Schedule): readonly DelegatePlan[] =>
  schedule.delegate.map((one) => ({
    ...DEFAULT_PLAN,
    style: one.style,
    startMs: one.start_ms,
    startError: one.start_error,
    emitFirstMs: one.emit_first_ms,
    emitEveryMs: one.emit_every_ms,
    emitCount: one.emit_count,
    waitReply: one.wait_reply,
    endMs: one.end_ms,
    failMs: one.fail_ms,
    failKind: one.fail_kind,
    ignoreCancel: one.ignore_cancel,
    lingerMs: one.linger_ms,
    flush: one.flush,
    cancelError: one.cancel_error,
    stopMs: one.stop_ms,
    stopError: one.stop_error,
    leakSender: one.leak_sender,
  }));
