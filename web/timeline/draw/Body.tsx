// The picture proper: only the marks of the visible window are rendered, in layers from the ground up. Pointer and keyboard are
// heard here once for all marks.
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { EpochPatterns } from "../../theme/EpochPatterns.tsx";
import type { Tint } from "../causes.ts";
import type { EventMark, LabelMark, TimelineMarks } from "../layout/marks.ts";
import { GUTTER, HEADER } from "../layout/metrics.ts";
import type { AnyRun, AnySystem } from "../moments.ts";
import type { VisibleWindow } from "../useVisibleWindow.ts";
import { sentenceOf } from "../words.ts";
import { Arrow } from "./Arrow.tsx";
import { EventNode } from "./EventNode.tsx";
import { FoldGround, FoldLabel } from "./Fold.tsx";
import { Grid, LaneLines } from "./Ground.tsx";
import { Link } from "./Link.tsx";
import { Band, Block, Gap, PausePattern } from "./Spans.tsx";
import styles from "../Timeline.module.css";

interface Props {
  readonly system: AnySystem;
  readonly run: AnyRun;
  readonly marks: TimelineMarks;
  /** How many events have happened at the cursor. */
  readonly shown: number;
  readonly cursorY: number;
  readonly selected: number | null;
  readonly onSelect: (seq: number | null) => void;
  readonly onHover: (seq: number | null) => void;
  readonly onToggleFold: (key: number) => void;
  readonly cone: ReadonlyMap<number, Tint> | null;
  readonly visible: VisibleWindow;
  readonly ahead: "outline" | "hidden";
  readonly scale: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

export function Body(props: Props) {
  const { system, run, marks, shown, cursorY, selected, onSelect, onHover, cone, visible, scale } = props;
  const prefix = useId();
  const outline = props.ahead === "outline";
  const body = useRef<SVGSVGElement>(null);
  // The event that the Tab key comes to: where the keys were last, else what is selected, else what happened last.
  const [wandered, setWandered] = useState<number | null>(null);
  const current = Math.min(wandered ?? selected ?? shown - 1, shown - 1);
  const focusNext = useRef(false);
  useEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    const element = body.current?.querySelector<SVGGElement>(`[role="button"][data-seq="${current}"]`);
    element?.focus({ preventScroll: true });
    const mark = marks.events[current];
    if (mark !== undefined) bringIntoView(props.scroller.current, mark, scale);
  });

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

  const move = (seq: number): void => {
    focusNext.current = true;
    setWandered(Math.max(0, Math.min(shown - 1, seq)));
  };
  const onKeyDown = (key: KeyboardEvent<SVGSVGElement>): void => {
    if (key.altKey || key.ctrlKey || key.metaKey || key.shiftKey) return;
    const focused = seqOf(key.target);
    const fold = foldOf(key.target);
    const act = keyAct(key.key, {
      next: focused === null ? null : () => move(focused + 1),
      previous: focused === null ? null : () => move(focused - 1),
      first: focused === null ? null : () => move(0),
      last: focused === null ? null : () => move(shown - 1),
      press:
        fold !== null
          ? () => props.onToggleFold(fold)
          : focused !== null
            ? () => onSelect(focused === selected ? null : focused)
            : null,
    });
    if (act === null) return;
    key.preventDefault();
    // The lab's own keys must not act as well.
    key.stopPropagation();
    act();
  };

  return (
    <svg
      ref={body}
      className={`${styles.body} ${cone === null ? "" : styles.cone}`}
      width={marks.width * scale - GUTTER * scale}
      height={marks.height * scale}
      viewBox={`${GUTTER} 0 ${marks.width - GUTTER} ${marks.height}`}
      role="group"
      aria-label={`Space-time picture: ${shown} of ${run.events.length} events have happened. Up and down move between events, Enter selects.`}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const fold = foldOf(event.target);
        if (fold !== null) return props.onToggleFold(fold);
        const seq = seqOf(event.target);
        setWandered(seq);
        onSelect(seq);
      }}
      onPointerOver={(event) => onHover(seqOf(event.target))}
      onPointerLeave={() => onHover(null)}
      onFocus={(event) => onHover(event.target.matches(":focus-visible") ? seqOf(event.target) : null)}
      onBlur={() => onHover(null)}
    >
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
        {inWindow.arrows.map((arrow) => {
          const state =
            arrow.seq >= shown ? "ahead" : arrow.endSeq !== null && arrow.endSeq < shown ? "done" : "flight";
          // Of what lies ahead only what matters is outlined.
          if (state === "ahead" && (!outline || arrow.routine || arrow.weight === "answer")) return null;
          // Part of the cone when both of its ends are.
          const tint =
            cone === null || !cone.has(arrow.seq) || (arrow.endSeq !== null && !cone.has(arrow.endSeq))
              ? undefined
              : tintOf(cone, arrow.seq, arrow.endSeq);
          return (
            <Arrow
              key={arrow.key}
              mark={arrow}
              state={state}
              cutY={state === "flight" ? cursorY : 0}
              tint={tint}
              label={labels.arrows.get(arrow.key)}
            />
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
    </svg>
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

function tintOf(cone: ReadonlyMap<number, Tint>, seq: number, endSeq: number | null): Tint | undefined {
  const end = endSeq === null ? undefined : cone.get(endSeq);
  return end === "past" || end === "self" ? "past" : (cone.get(seq) ?? end) === "past" ? undefined : "future";
}

function seqOf(target: EventTarget): number | null {
  const found = target instanceof Element ? target.closest("[data-seq]") : null;
  return found === null ? null : Number(found.getAttribute("data-seq"));
}

function foldOf(target: EventTarget): number | null {
  const found = target instanceof Element ? target.closest("[data-fold]") : null;
  return found === null ? null : Number(found.getAttribute("data-fold"));
}

type KeyActs = Readonly<Record<"next" | "previous" | "first" | "last" | "press", (() => void) | null>>;

function keyAct(key: string, acts: KeyActs): (() => void) | null {
  switch (key) {
    case "ArrowDown":
      return acts.next;
    case "ArrowUp":
      return acts.previous;
    case "Home":
      return acts.first;
    case "End":
      return acts.last;
    case "Enter":
    case " ":
      return acts.press;
    default:
      return null;
  }
}

function bringIntoView(
  scroller: HTMLElement | null,
  mark: { readonly x: number; readonly y: number },
  scale: number,
): void {
  if (scroller === null) return;
  const header = HEADER * scale;
  const y = mark.y * scale;
  const room = scroller.clientHeight - header;
  if (y < scroller.scrollTop + 40 || y > scroller.scrollTop + room - 40) scroller.scrollTop = y - room / 2;
  const x = mark.x * scale;
  if (x < scroller.scrollLeft + GUTTER * scale + 40 || x > scroller.scrollLeft + scroller.clientWidth - 40)
    scroller.scrollLeft = x - scroller.clientWidth / 2;
}
