// The fault palette of the leadership system: everything that can go wrong, with what it leaves to choose.
import type { Problem } from "../../../shared/base/result.ts";
import {
  INJECTED_CODES,
  parseLeadershipAction,
  type LeadershipAction,
} from "../../../shared/systems/leadership/action.ts";
import { describe } from "../../../shared/systems/leadership/deliver.ts";
import { refusalLeadership } from "../../../shared/systems/leadership/enabled.ts";
import { LEASE_LANE, type LeadershipWorld, type Message } from "../../../shared/systems/leadership/world.ts";
import type { FaultField, FaultForm, FaultValues } from "../view.ts";

interface Recipe {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly targets: readonly Target[];
  readonly fields?: readonly FaultField[];
  readonly options?: FaultForm["options"];
  /** The action as data; it is parsed before it is used. */
  readonly build: (values: FaultValues) => unknown;
  /** An action like the one that is meant, to ask whether it can happen to a target. */
  readonly sample: (target: string) => LeadershipAction;
}

interface Target {
  readonly id: string;
  readonly label: string;
}

const number = (
  id: string,
  label: string,
  unit: string,
  initial: string,
  range: readonly [least: number, most: number],
): FaultField => ({ id, label, kind: "number", unit, initial, range });

/** One day, the longest that an action may name, in seconds. */
const DAY_S = 86_400;

const numeric = (values: FaultValues, id: string): number => {
  const text = values.fields[id] ?? "";
  return text.trim() === "" ? Number.NaN : Number(text);
};

const secondsAsMs = (values: FaultValues): number => Math.round(numeric(values, "seconds") * 1000);

/** What is wrong with a number that a field of the palette holds, in the field's own unit. */
function fieldProblem(field: FaultField, values: FaultValues): Problem | null {
  const text = (values.fields[field.id] ?? "").trim();
  if (field.kind !== "number") return null;
  const [least, most] = field.range ?? [-Infinity, Infinity];
  const value = /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return null;
  const unit = field.unit === "" ? "" : ` ${field.unit}`;
  return {
    path: field.label,
    expected: `a decimal number from ${least} to ${most}${unit}`,
    got: JSON.stringify(text),
    remedy: `Type one such as ${field.initial}.`,
  };
}

export function leadershipFaults(world: LeadershipWorld): readonly FaultForm[] {
  const nodes = world.nodes.map(({ id }): Target => ({ id, label: id }));
  const sinks = world.sinks.map(({ id }): Target => ({ id, label: id }));
  const links = world.nodes.flatMap(({ id }) =>
    [LEASE_LANE, ...world.sinks.map((sink) => sink.id)].map((to): Target => ({
      id: `${id}>${to}`,
      label: `${id} and ${to === LEASE_LANE ? "the Lease API" : to}`,
    })),
  );
  const messages = world.messages.map((message): Target => ({
    id: String(message.id),
    label: `${describe(message.payload)} (${message.from} to ${message.to})`,
  }));
  const requests = messages.filter((_, index) => isRequest(world.messages[index]));
  const writes = messages.filter((_, index) => world.messages[index]?.payload.kind === "write");
  const calls = messages.filter(
    (_, index) => isRequest(world.messages[index]) || world.messages[index]?.payload.kind === "write",
  );
  const checked = world.sinks.flatMap((sink) =>
    sink.checked.map(({ message }): Target => ({
      id: String(message.id),
      label: `${sink.id}'s act on ${describe(message.payload)}`,
    })),
  );
  const linkEnds = (target: string): { readonly node: string; readonly to: string } => {
    const [node = "", to = ""] = target.split(">");
    return { node, to };
  };
  const delaySeconds = number("seconds", "by", "s", "5", [0.001, DAY_S]);

  const recipes: readonly Recipe[] = [
    ...(["pause", "resume", "crash"] as const).map((kind): Recipe => ({
      id: kind,
      group: "Node",
      label: { pause: "Pause", resume: "Resume", crash: "Crash" }[kind],
      targets: nodes,
      build: ({ target }) => ({ kind, node: target }),
      sample: (node) => ({ kind, node }),
    })),
    {
      id: "restart",
      group: "Node",
      label: "Start again",
      targets: nodes,
      options: [
        { id: "new", label: "as a new identity" },
        { id: "same", label: "under the same identity" },
      ],
      build: ({ target, option }) => ({ kind: "restart", node: target, identity: option }),
      sample: (node) => ({ kind: "restart", node, identity: "new" }),
    },
    {
      id: "cancel",
      group: "Node",
      label: "Ask to stop",
      targets: nodes,
      build: ({ target }) => ({ kind: "cancel", node: target }),
      sample: (node) => ({ kind: "cancel", node }),
    },
    ...(["cut", "heal"] as const).map((kind): Recipe => ({
      id: kind,
      group: "Link",
      label: { cut: "Cut between", heal: "Heal between" }[kind],
      targets: links,
      build: ({ target }) => ({ kind, ...linkEnds(target) }),
      sample: (target) => ({ kind, ...linkEnds(target) }),
    })),
    {
      id: "set-delay",
      group: "Link",
      label: "Slow down",
      targets: nodes,
      options: [
        { id: "lease", label: "to the Lease API" },
        { id: "sinks", label: "to the sinks" },
      ],
      fields: [number("ms", "to", "ms each way", "2000", [0, DAY_S * 1000])],
      build: (values) => ({
        kind: "set-delay",
        node: values.target,
        to: values.option,
        delayMs: Math.round(numeric(values, "ms")),
      }),
      sample: (node) => ({ kind: "set-delay", node, to: "lease", delayMs: 0 }),
    },
    {
      id: "lose",
      group: "Request",
      label: "Lose",
      targets: messages,
      build: ({ target }) => ({ kind: "lose", message: Number(target) }),
      sample: (target) => ({ kind: "lose", message: Number(target) }),
    },
    {
      id: "delay",
      group: "Request",
      label: "Delay",
      targets: [...messages, ...checked],
      fields: [delaySeconds],
      build: (values) => ({ kind: "delay", message: Number(values.target), byMs: secondsAsMs(values) }),
      sample: (target) => ({ kind: "delay", message: Number(target), byMs: 1 }),
    },
    {
      id: "refuse",
      group: "Request",
      label: "Answer an error to",
      targets: requests,
      options: INJECTED_CODES.map((code) => ({ id: String(code), label: `${code} ${CODE_NAMES[code]}` })),
      build: ({ target, option }) => ({ kind: "refuse", message: Number(target), code: Number(option) }),
      sample: (target) => ({ kind: "refuse", message: Number(target), code: 500 }),
    },
    {
      id: "lose-answer",
      group: "Request",
      label: "Commit, lose the answer to",
      targets: calls,
      build: ({ target }) => ({ kind: "lose-answer", message: Number(target) }),
      sample: (target) => ({ kind: "lose-answer", message: Number(target) }),
    },
    {
      id: "delay-answer",
      group: "Request",
      label: "Commit, answer late to",
      targets: calls,
      fields: [delaySeconds],
      build: (values) => ({
        kind: "delay-answer",
        message: Number(values.target),
        byMs: secondsAsMs(values),
      }),
      sample: (target) => ({ kind: "delay-answer", message: Number(target), byMs: 1 }),
    },
    {
      id: "duplicate",
      group: "Request",
      label: "Deliver twice",
      targets: writes,
      build: ({ target }) => ({ kind: "duplicate", message: Number(target) }),
      sample: (target) => ({ kind: "duplicate", message: Number(target) }),
    },
    {
      id: "set-rate",
      group: "Clock",
      label: "Run the clock of",
      targets: nodes,
      fields: [number("rate", "at", "× true time", "1.5", [0.1, 10])],
      build: (values) => ({
        kind: "set-rate",
        node: values.target,
        ratePermille: Math.round(numeric(values, "rate") * 1000),
      }),
      sample: (node) => ({ kind: "set-rate", node, ratePermille: 1000 }),
    },
    {
      id: "step-wall-clock",
      group: "Clock",
      label: "Step the wall clock of",
      targets: nodes,
      fields: [number("seconds", "by", "s", "-60", [-DAY_S, DAY_S])],
      build: (values) => ({ kind: "step-wall-clock", node: values.target, byMs: secondsAsMs(values) }),
      sample: (node) => ({ kind: "step-wall-clock", node, byMs: 1 }),
    },
    {
      id: "delete-lease",
      group: "Lease",
      label: "Delete the Lease",
      targets: [],
      build: () => ({ kind: "delete-lease" }),
      sample: () => ({ kind: "delete-lease" }),
    },
    {
      id: "strip-annotation",
      group: "Lease",
      label: "Strip the term annotation",
      targets: [],
      build: () => ({ kind: "strip-annotation" }),
      sample: () => ({ kind: "strip-annotation" }),
    },
    {
      id: "edit-holder",
      group: "Lease",
      label: "Edit the holder by hand",
      targets: [],
      fields: [{ id: "holder", label: "to", kind: "text", unit: "", initial: "somebody-else" }],
      build: ({ fields }) => ({ kind: "edit-holder", holder: fields["holder"] ?? "" }),
      sample: () => ({ kind: "edit-holder", holder: "" }),
    },
    {
      id: "restart-sink",
      group: "Sink",
      label: "Restart",
      targets: sinks,
      build: ({ target }) => ({ kind: "restart-sink", sink: target }),
      sample: (sink) => ({ kind: "restart-sink", sink }),
    },
  ];
  return recipes.map((recipe) => formOf(world, recipe));
}

const CODE_NAMES: Readonly<Record<(typeof INJECTED_CODES)[number], string>> = {
  409: "Conflict",
  422: "Invalid",
  429: "Too Many Requests",
  500: "Internal Error",
  504: "Timeout",
};

const isRequest = (message: Message | undefined): boolean => message?.payload.kind === "lease-request";

function formOf(world: LeadershipWorld, recipe: Recipe): FaultForm {
  const { id, group, label, fields = [], options = [], targets, sample } = recipe;
  const isWhole = group === "Lease";
  const reasons = (isWhole ? [""] : targets.map((target) => target.id)).map((target) =>
    refusalLeadership(world, sample(target)),
  );
  const possible = targets.filter((_, index) => reasons[index] === null);
  const canHappen = reasons.includes(null);
  return {
    id,
    group,
    label,
    fields,
    options,
    targets: possible,
    impossible: canHappen ? null : (reasons[0] ?? "Nothing of the kind is under way."),
    make(values) {
      const wrong = fields.map((field) => fieldProblem(field, values)).find((problem) => problem !== null);
      if (wrong !== undefined && wrong !== null) return wrong;
      const action = parseLeadershipAction(recipe.build(values));
      if (action.ok) return action.value;
      return (
        action.error[0] ?? {
          path: "",
          expected: "values that make an action",
          got: "others",
          remedy: "Correct them.",
        }
      );
    },
  };
}
