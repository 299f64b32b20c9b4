// Small hand-written runs for tests of the layout: each row is an event together with how it looks, so that a test says all
// that it depends on.
import type { Event } from "../../shared/systems/event.ts";
import type { Lane } from "../../shared/systems/system.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { replay } from "../../shared/trace/run.ts";
import type { MomentFacts, TimelineInput, TimelineMarks, LabelMark } from "./layout/marks.ts";
import { momentsOf, type AnyRun, type AnySystem } from "./moments.ts";
import { PLAIN, type Depiction, type Picture } from "./picture/picture.ts";
import { pictureOf } from "./picture/pictures.ts";

export interface Row extends Partial<Depiction> {
  readonly at: number;
  readonly lane: string;
  readonly cause?: number;
  readonly routine?: boolean;
}

const band = (id: string, letter: string) => ({ id, letter, meaning: id });
const BANDS = [band("believes", "B"), band("lease", "L"), band("sink", "S")];

export const LANES: readonly Lane[] = [
  { id: "a", title: "node a", subtitle: "", role: "process", bands: BANDS },
  { id: "lease", title: "Lease", subtitle: "orders", role: "register", bands: [] },
  { id: "b", title: "node b", subtitle: "", role: "process", bands: BANDS },
  { id: "ledger", title: "ledger", subtitle: "no fence", role: "sink", bands: [] },
];

export interface Fixture extends TimelineInput {
  readonly depictions: readonly Depiction[];
  readonly routine: Uint8Array;
}

/** One action for each event, unless `moments` says otherwise; the run ends at `endAt`, by default with its last event. */
export function fixture(
  rows: readonly Row[],
  more: {
    readonly endAt?: number;
    readonly moments?: readonly MomentFacts[];
    readonly unfolded?: readonly number[];
  } = {},
): Fixture {
  const events = rows.map(
    ({ at, lane, cause }, seq) =>
      ({ seq, at, lane, cause: cause ?? null, localAt: null, kind: "fixture" }) as unknown as Event,
  );
  const depictions = rows.map(({ sends, arrival, shape }): Depiction => ({
    sends: sends ?? PLAIN.sends,
    arrival: arrival ?? PLAIN.arrival,
    shape: shape ?? PLAIN.shape,
  }));
  const routine = Uint8Array.from(rows, (row) => (row.routine === true ? 1 : 0));
  const picture: Picture = {
    depict: () => ({ depictions, routine }),
    summarise: (some) => `${some.length} events`,
    disagreement: () => null,
  };
  const moment = (eventEnd: number, at: number): MomentFacts => ({ eventEnd, at, bands: [], conditions: [] });
  const last = rows.at(-1)?.at ?? 0;
  const moments = more.moments ?? [
    moment(0, 0),
    ...rows.map(({ at }, seq) => moment(seq + 1, at)),
    ...(more.endAt === undefined || more.endAt === last ? [] : [moment(rows.length, more.endAt)]),
  ];
  return {
    lanes: LANES,
    events,
    depictions,
    routine,
    moments,
    picture,
    unfolded: new Set(more.unfolded ?? []),
  };
}

export interface Played {
  readonly system: AnySystem;
  readonly lanes: readonly Lane[];
  readonly run: AnyRun;
  readonly input: TimelineInput;
}

/** A scenario of the catalogue, played to its end. */
export function played(scenario: string): Played {
  const origin = resolveOrigin({ kind: "scenario", scenario });
  if (!origin.ok) throw new Error(`no scenario ${scenario}`);
  const { system, config, script } = origin.value;
  const run = replay(system, config, script);
  if (!run.ok) throw new Error(`${scenario} does not replay: ${run.error.reason}`);
  return playedFrom(system, system.lanes(config), run.value);
}

export function playedFrom(system: AnySystem, lanes: readonly Lane[], run: AnyRun): Played {
  return {
    system,
    lanes,
    run,
    input: {
      lanes,
      events: run.events,
      moments: momentsOf(system, run),
      picture: pictureOf(system.id),
      unfolded: new Set(),
    },
  };
}

/** All words that found a place. */
export function labelsOf(marks: TimelineMarks): readonly LabelMark[] {
  return marks.pages.flatMap((_, index) => {
    const { events, arrows, gaps } = marks.labelsOf(index);
    return [...events.values(), ...arrows.values(), ...gaps.values()];
  });
}

export const textsOf = (marks: TimelineMarks): readonly string[] =>
  labelsOf(marks).map((label) => label.lines.join(" "));
