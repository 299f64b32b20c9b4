// What the screen needs to know about one system beside the system itself. The lab's frame is written against this, so
// that a further system is added by one more view and nothing else.
import type { ComponentType } from "react";
import type { Problem } from "../../shared/base/result.ts";
import type { Event } from "../../shared/systems/event.ts";
import type { BaseAction, SystemId } from "../../shared/systems/system.ts";

/** What kind of tick an event gets on the scrubber. */
export type Mark = "election" | "fault";

/** One number that a fault needs, such as how long to delay. */
export interface FaultField {
  readonly id: string;
  readonly label: string;
  readonly kind: "number" | "text";
  readonly unit: string;
  readonly initial: string;
  /** Numbers only: the smallest and the largest that makes sense, in the field's own unit. */
  readonly range?: readonly [least: number, most: number];
}

/** A fault that the user may cause now, with the choices that it leaves open. */
export interface FaultForm {
  readonly id: string;
  readonly group: string;
  /** The verb, as in "Delay". */
  readonly label: string;
  readonly fields: readonly FaultField[];
  /** What it may be done to. Empty when there is nothing to choose. */
  readonly targets: readonly { readonly id: string; readonly label: string }[];
  /** Choices from a short list, such as an answer code. */
  readonly options: readonly { readonly id: string; readonly label: string }[];
  /** Null when it can be done to something now; else one sentence why not. */
  readonly impossible: string | null;
  /** The action, or what is wrong with the values. */
  make(values: FaultValues): BaseAction | Problem;
}

export interface FaultValues {
  readonly target: string;
  readonly option: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A figure with the arithmetic that led to it. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly how: string;
  readonly tone: "good" | "bad" | "plain";
}

export interface StatePanelProps {
  readonly world: unknown;
  /** The world one step earlier, to show what changed. */
  readonly before: unknown;
}

export interface SystemView {
  readonly id: SystemId;
  /** The chip in the header, as in "Lease: in memory". */
  readonly register: string;
  readonly mark: (event: Event) => Mark | null;
  /** Whether an event is plumbing that a reader may skip. */
  readonly isMinor: (event: Event) => boolean;
  /** The ordinal of the epoch that an event is about; 0 for none. */
  readonly epochOf: (event: Event) => number;
  readonly faults: (world: unknown) => readonly FaultForm[];
  /** Figures of a run up to a moment. */
  readonly figures: (config: unknown, events: readonly Event[], nowMs: number) => readonly Figure[];
  readonly State: ComponentType<StatePanelProps>;
}
