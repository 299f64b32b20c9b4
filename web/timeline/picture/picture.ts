// What the picture needs to be told about the events of one system. The timeline knows lanes, bands, messages and marks;
// which event is which of these is said here. A further system adds one `Picture`.
import type { Event } from "../../../shared/systems/event.ts";
import type { BandReading } from "../../../shared/systems/system.ts";

export type Tone = "plain" | "good" | "warn" | "bad";

/** An epoch as it is shown: `ordinal` gives colour and pattern, `label` is the number. */
export interface EpochFacts {
  readonly ordinal: number;
  readonly label: string;
}

/** A message that an event sends. */
export interface Sending {
  /** Lane that it is meant for. */
  readonly to: string;
  /** Words along the arrow; empty for none. */
  readonly label: string;
  /** The epoch that it carries; null for neutral messages. */
  readonly epoch: EpochFacts | null;
  /** `work` is what the picture is about, `request` serves it, `answer` only closes a request. */
  readonly weight: "work" | "request" | "answer";
  /** It carries an epoch that is not the newest any more. */
  readonly stale: boolean;
}

/** How a message fared that an event brought to its end. */
export interface Arrival {
  /** The event that sent it. */
  readonly from: number;
  readonly fate: "taken" | "refused" | "ignored" | "lost";
  /** Lane that it was meant for, when it was lost on the way there. */
  readonly meantFor: string | null;
}

/** What is drawn where an event happened. */
export type Shape =
  /** A small tick on its lane. */
  | { readonly kind: "tick" }
  /** A tick with words beside the lane. */
  | { readonly kind: "note"; readonly words: Words }
  /** A square on a register's line with words beside it. */
  | {
      readonly kind: "record";
      readonly epoch: EpochFacts | null;
      readonly words: Words | null;
      /** `filled`: it changed the register. `hollow`: it did not, and that matters. `dot`: it only looked. */
      readonly look: "filled" | "hollow" | "dot";
    }
  /** A box on a sink's line. */
  | {
      readonly kind: "cell";
      readonly epoch: EpochFacts | null;
      readonly text: string;
      readonly style: "applied" | "stale" | "refused" | "pending";
      /** Words below it. */
      readonly below: Words | null;
      /** The event of the same lane that it completes, such as the check before an act; null for none. */
      readonly completes: number | null;
    }
  /** A cross: where a message was lost, or a process ended. */
  | { readonly kind: "cross"; readonly words: Words | null };

export interface Words {
  /** One or two lines. */
  readonly lines: readonly string[];
  /** What to say where there is little room; empty to say nothing. */
  readonly short: string;
  readonly tone: Tone;
  /** Colours the words when they speak of an epoch. */
  readonly epoch: number | null;
  /** Words that matter get room made for them; others appear where there is some. */
  readonly matters: boolean;
}

export interface Depiction {
  readonly sends: Sending | null;
  readonly arrival: Arrival | null;
  readonly shape: Shape;
}

/** A lane says one thing and the rest of the world another: named beside the lane for as long as it lasts. */
export interface Disagreement {
  /** Distinguishes one stage of a disagreement from the next. */
  readonly key: string;
  readonly lines: readonly string[];
  readonly tone: Tone;
}

export interface Depicted {
  /** One for each event, in order. */
  readonly depictions: readonly Depiction[];
  /** `routine[seq]` is 1 for what is nothing new: it may be folded together with others of its kind. */
  readonly routine: Uint8Array;
}

export interface Picture {
  depict(events: readonly Event[]): Depicted;
  /** What happened in a stretch that is folded, in a few words. */
  summarise(events: readonly Event[]): string;
  /** What is wrong in one lane at a moment, given all readings. */
  disagreement(lane: string, readings: readonly BandReading[]): Disagreement | null;
}

export const TICK: Shape = { kind: "tick" };

export const PLAIN: Depiction = { sends: null, arrival: null, shape: TICK };

export function words(text: string | readonly string[], more: Partial<Omit<Words, "lines">> = {}): Words {
  const lines = typeof text === "string" ? [text] : text;
  return { lines, short: "", tone: "plain", epoch: null, matters: true, ...more };
}

/** Words that appear only where there is room. */
export const aside = (text: string | readonly string[], more: Partial<Omit<Words, "lines">> = {}): Words =>
  words(text, { matters: false, ...more });
