// What layout hands to drawing: plain marks with places in pixels. Nothing in here depends on the cursor, so the marks of a
// run are computed once and moving through it only changes which of them are drawn full, cut or as outlines.
import type { BandReading, Lane, LaneCondition } from "../../../shared/systems/system.ts";
import type { Event } from "../../../shared/systems/event.ts";
import type { Depiction, EpochFacts, Picture, Tone } from "../picture/picture.ts";

/** The world between two actions, as far as the picture shows it. What did not change since the one before is the same object. */
export interface MomentFacts {
  /** How many events had happened. */
  readonly eventEnd: number;
  /** Global virtual time in ms. */
  readonly at: number;
  readonly bands: readonly BandReading[];
  readonly conditions: readonly LaneCondition[];
}

export interface TimelineInput {
  readonly lanes: readonly Lane[];
  readonly events: readonly Event[];
  /** `moments[i]`: after i actions. */
  readonly moments: readonly MomentFacts[];
  readonly picture: Picture;
  /** Folds that the user has opened, by the number of their first event. */
  readonly unfolded: ReadonlySet<number>;
}

export interface BandColumn {
  readonly id: string;
  readonly letter: string;
  readonly meaning: string;
  readonly x: number;
}

export interface LaneMark {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly role: Lane["role"];
  /** Centre. */
  readonly x: number;
  /** Half the width of what is drawn in the lane: arrows start and end there. */
  readonly half: number;
  /** Room for the title, centred. */
  readonly titleRoom: number;
  readonly bands: readonly BandColumn[];
  readonly bandWidth: number;
}

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Words with a place. `y` is the middle of the first line. */
export interface LabelMark {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  /** Degrees; only words along an arrow are turned. */
  readonly angle: number;
  readonly tone: Tone;
  readonly epoch: number | null;
  readonly bold: boolean;
  readonly box: Box;
}

export interface TickMark {
  readonly atMs: number;
  readonly y: number;
  readonly label: string;
}

export interface FoldMark {
  /** Number of the event that stands for it: the first one inside, or the one after a silence. */
  readonly key: number;
  readonly firstSeq: number;
  /** Last event inside; `firstSeq - 1` when there is none. */
  readonly lastSeq: number;
  readonly y0: number;
  readonly y1: number;
  readonly text: string;
  /** Middle of the words. */
  readonly textX: number;
}

export interface BandMark {
  readonly key: string;
  readonly lane: string;
  readonly band: string;
  readonly x: number;
  readonly width: number;
  readonly y0: number;
  readonly y1: number;
  readonly epoch: EpochFacts;
}

export interface BlockMark {
  readonly key: string;
  readonly lane: string;
  readonly condition: "paused" | "down";
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

export interface GapMark {
  readonly key: string;
  readonly lane: string;
  /** Where the bracket stands; it opens towards the lane. */
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
  readonly tone: Tone;
  readonly lines: readonly string[];
}

export type ArrowFate = "taken" | "refused" | "ignored" | "lost" | "in-flight";

export interface ArrowMark {
  readonly key: string;
  /** The event that sent it. */
  readonly seq: number;
  /** The event that ended it; null while it is on its way at the end of the run. */
  readonly endSeq: number | null;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly fate: ArrowFate;
  readonly weight: "work" | "request" | "answer";
  readonly routine: boolean;
  readonly stale: boolean;
  readonly epoch: EpochFacts | null;
}

/** Joins two events of one lane: the check and the act of a sink that does not do both at once. */
export interface LinkMark {
  readonly seq: number;
  readonly endSeq: number;
  /** Edge of the cells that it joins. */
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
  readonly epoch: EpochFacts | null;
}

/** An event's own mark: what can be focused, selected and read out. */
export interface EventMark {
  readonly seq: number;
  readonly lane: string;
  readonly x: number;
  readonly y: number;
  /** Half of the extents of its shape, for the ring around it and for pointers. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly depiction: Depiction;
  /** Text of a cell as it fits into it. */
  readonly text: string;
  /** Number in the tab of a cell; empty for none. */
  readonly tab: string;
  /** Nothing new: it stands back. */
  readonly routine: boolean;
  /** It lies in a fold, where only ticks are drawn. */
  readonly folded: boolean;
}

/** A stretch of the picture whose words are placed together, when they are first looked at. Words do not reach beyond it. */
export interface Page {
  readonly y0: number;
  readonly y1: number;
}

/** The words of a page that found a place: by event, by the key of an arrow, by the key of a gap. */
export interface PageLabels {
  readonly events: ReadonlyMap<number, LabelMark>;
  readonly arrows: ReadonlyMap<string, LabelMark>;
  readonly gaps: ReadonlyMap<string, LabelMark>;
}

export interface TimelineMarks {
  readonly width: number;
  readonly height: number;
  readonly lanes: readonly LaneMark[];
  readonly ticks: readonly TickMark[];
  readonly folds: readonly FoldMark[];
  /** What would be folded and has been opened. */
  readonly opened: readonly FoldMark[];
  readonly bands: readonly BandMark[];
  readonly blocks: readonly BlockMark[];
  readonly gaps: readonly GapMark[];
  /** In order of `y0`. */
  readonly arrows: readonly ArrowMark[];
  readonly links: readonly LinkMark[];
  /** `events[seq]`. */
  readonly events: readonly EventMark[];
  /** From the top down, without holes. */
  readonly pages: readonly Page[];
  /** The words of `pages[index]`. Placed once and kept. */
  readonly labelsOf: (page: number) => PageLabels;
  /** `cursorYs[i]`: where the cursor stands after i actions. Never falls. */
  readonly cursorYs: readonly number[];
  /** `timeYs[i]`: where time stands after i actions; the cursor may stand a little lower, below the words of what happened. */
  readonly timeYs: readonly number[];
  /** Place of a time that lies between events. */
  readonly yAt: (atMs: number) => number;
}
