// The marks of the visible window in layers, from the ground up: lines, folds, bands, the cursor, messages, brackets, events.
import { useMemo } from "react";
import { EpochPatterns } from "../../theme/EpochPatterns.tsx";
import type { Tint } from "../causes.ts";
import type { ArrowMark, EventMark, LabelMark, TimelineMarks } from "../layout/marks.ts";
import { GUTTER } from "../layout/metrics.ts";
import type { AnyRun, AnySystem } from "../moments.ts";
import type { VisibleWindow } from "../useVisibleWindow.ts";
import { sentenceOf } from "../words.ts";
import { Arrow } from "./Arrow.tsx";
import { EventNode } from "./EventNode.tsx";
import { FoldGround, FoldLabel } from "./Fold.tsx";
import { Grid, LaneLines } from "./Ground.tsx";
import { Link } from "./Link.tsx";
import { Band, Block, Gap, PausePattern } from "./Spans.tsx";
import { Words } from "./Words.tsx";
import styles from "../Timeline.module.css";

export interface LayersProps {
  readonly system: AnySystem;
  readonly run: AnyRun;
  readonly marks: TimelineMarks;
  /** Prefix of the ids of patterns, unique in the document. */
  readonly prefix: string;
  /** How many events have happened at the cursor. */
  readonly shown: number;
  readonly cursorY: number;
  /** How far messages have come that are on their way. */
  readonly timeY: number;
  readonly selected: number | null;
  /** The event that the Tab key comes to; it is drawn wherever it is. -1 for none. */
  readonly current: number;
  readonly cone: ReadonlyMap<number, Tint> | null;
  readonly visible: VisibleWindow;
  readonly ahead: "outline" | "hidden";
}

export function Layers(props: LayersProps) {
  const { system, run, marks, prefix, shown, cursorY, timeY, selected, current, cone, visible } = props;
  const outline = props.ahead === "outline";
  const within = (y0: number, y1: number): boolean => y1 >= visible.y0 && y0 <= visible.y1;
  const inWindow = useMemo(
    () => ({
      ticks: marks.ticks.filter((tick) => within(tick.y, tick.y)),
      folds: marks.folds.filter((fold) => within(fold.y0, fold.y1)),
      bands: marks.bands.filter((band) => within(band.y0, band.y1)),
      blocks: marks.blocks.filter((block) => within(block.y0, block.y1)),
      gaps: marks.gaps.filter((gap) => within(gap.y0, gap.y1)),
      links: marks.links.filter((link) => within(link.y0, link.y1)),
      arrows: marks.arrows.filter((arrow) => within(arrow.y0, arrow.y1)),
      events: marks.events.filter((event) => within(event.y, event.y)),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- `within` is made of `visible`
    [marks, visible],
  );
  const labels = useMemo(() => labelsWithin(marks, visible), [marks, visible]);
  const nodes =
    current >= 0 &&
    marks.events[current] !== undefined &&
    !within(marks.events[current].y, marks.events[current].y)
      ? [...inWindow.events, marks.events[current]].toSorted((left, right) => left.seq - right.seq)
      : inWindow.events;

  const arrows = inWindow.arrows.flatMap((arrow) => {
    const state = stateOf(arrow, shown);
    // Of what lies ahead only what matters is outlined.
    if (state === "ahead" && (!outline || arrow.routine || arrow.weight === "answer")) return [];
    return [{ arrow, state, tint: cone === null ? undefined : tintOf(cone, arrow) }];
  });

  return (
    <>
      <defs>
        <EpochPatterns prefix={prefix} />
        <PausePattern prefix={prefix} />
      </defs>
      <LaneLines lanes={marks.lanes} y0={Math.max(0, visible.y0)} y1={Math.min(marks.height, visible.y1)} />
      {inWindow.blocks.map(
        (block) =>
          block.condition === "down" &&
          block.y0 <= cursorY && <Block key={block.key} mark={block} cutY={block.y1} prefix={prefix} />,
      )}
      <Grid ticks={inWindow.ticks} width={marks.width} />
      {inWindow.folds.map((fold) => (
        <FoldGround key={fold.key} mark={fold} width={marks.width} />
      ))}
      {inWindow.bands.map((band) => (
        <Band
          key={band.key}
          mark={band}
          cutY={cut(band, cursorY)}
          prefix={prefix}
          ahead={outline}
          visibleY0={visible.y0}
          visibleY1={visible.y1}
        />
      ))}
      {inWindow.blocks.map(
        (block) =>
          block.condition === "paused" && (
            <Block key={block.key} mark={block} cutY={cut(block, cursorY)} prefix={prefix} />
          ),
      )}
      <line className={styles.cursor} x1={GUTTER - 8} x2={marks.width} y1={cursorY} y2={cursorY} />
      <g className={styles.dims}>
        {arrows.map(({ arrow, state, tint }) => (
          <Arrow
            key={arrow.key}
            mark={arrow}
            state={state}
            cutY={state === "flight" ? timeY : 0}
            tint={tint}
          />
        ))}
      </g>
      <g className={styles.dims}>
        {arrows.map(({ arrow, state, tint }) => {
          const label = state === "ahead" ? undefined : labels.arrows.get(arrow.key);
          return (
            label !== undefined && (
              <g key={arrow.key} data-seq={arrow.seq} data-tint={tint}>
                <Words mark={label} />
              </g>
            )
          );
        })}
      </g>
      {inWindow.links.map(
        (link) => link.seq < shown && <Link key={link.endSeq} mark={link} cutY={cut(link, cursorY)} />,
      )}
      {inWindow.gaps.map((gap) => (
        <Gap
          key={gap.key}
          mark={gap}
          cutY={cut(gap, cursorY)}
          labels={labels.gaps.get(gap.key) ?? NO_GAP_LABELS}
        />
      ))}
      <g className={styles.dims}>
        {nodes.map((mark) => {
          const isAhead = mark.seq >= shown;
          if (isAhead && (!outline || !hasOutline(mark))) return null;
          const event = run.events[mark.seq];
          return (
            <EventNode
              key={mark.seq}
              mark={mark}
              prefix={prefix}
              ahead={isAhead}
              selected={mark.seq === selected}
              current={mark.seq === current}
              tint={cone?.get(mark.seq)}
              sentence={isAhead || event === undefined ? "" : sentenceOf(system, event)}
              label={labels.events.get(mark.seq)}
            />
          );
        })}
      </g>
      {inWindow.folds.map(
        (fold) => (fold.y0 < cursorY || outline) && <FoldLabel key={fold.key} mark={fold} />,
      )}
    </>
  );
}

const NO_GAP_LABELS: readonly LabelMark[] = [];

interface Labels {
  readonly events: ReadonlyMap<number, LabelMark>;
  readonly arrows: ReadonlyMap<string, LabelMark>;
  readonly gaps: ReadonlyMap<string, readonly LabelMark[]>;
}

/** The words of all pages that reach into the window. */
function labelsWithin(marks: TimelineMarks, { y0, y1 }: VisibleWindow): Labels {
  const events = new Map<number, LabelMark>();
  const arrows = new Map<string, LabelMark>();
  const gaps = new Map<string, LabelMark[]>();
  marks.pages.forEach((page, index) => {
    if (page.y1 < y0 || page.y0 > y1) return;
    const labels = marks.labelsOf(index);
    for (const [seq, label] of labels.events) events.set(seq, label);
    for (const [key, label] of labels.arrows) arrows.set(key, label);
    for (const [key, label] of labels.gaps) gaps.set(key, [...(gaps.get(key) ?? []), label]);
  });
  return { events, arrows, gaps };
}

/** Ticks and words of what lies ahead are not shown. */
function hasOutline({ depiction, folded, routine }: EventMark): boolean {
  return !folded && !routine && (depiction.shape.kind === "cell" || depiction.shape.kind === "record");
}

const cut = (span: { readonly y0: number; readonly y1: number }, cursorY: number): number =>
  Math.max(span.y0, Math.min(span.y1, cursorY));

function stateOf({ seq, endSeq }: ArrowMark, shown: number): "done" | "flight" | "ahead" {
  if (seq >= shown) return "ahead";
  return endSeq !== null && endSeq < shown ? "done" : "flight";
}

/** A message is part of the cone when both of its ends are, or its beginning while it is on its way. */
function tintOf(cone: ReadonlyMap<number, Tint>, { seq, endSeq }: ArrowMark): Tint | undefined {
  const start = cone.get(seq);
  const end = endSeq === null ? start : cone.get(endSeq);
  if (start === undefined || end === undefined) return undefined;
  if (end === "past" || (end === "self" && endSeq !== null)) return "past";
  return start === "past" ? undefined : "future";
}
