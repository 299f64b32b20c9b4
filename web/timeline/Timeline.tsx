// The space-time picture of a run: lanes run down the page, time flows down, messages are slanted arrows, colour means epoch.
// Layout is computed once per run and width; the cursor only decides what is drawn full, cut or as an outline.
import { useCallback, useMemo, useRef, useState } from "react";
import type { Lane } from "../../shared/systems/system.ts";
import { useRested } from "./useRested.ts";
import { useElementWidth } from "./useElementWidth.ts";
import { useVisibleWindow } from "./useVisibleWindow.ts";
import { causalCone } from "./causes.ts";
import { momentsOf, type AnyRun, type AnySystem } from "./moments.ts";
import { pictureOf } from "./picture/pictures.ts";
import { layoutTimeline } from "./layout/layout.ts";
import type { TimelineMarks } from "./layout/marks.ts";
import { HEADER, GUTTER, scaleOf, type Density } from "./layout/metrics.ts";
import { Body } from "./draw/Body.tsx";
import { CursorLabel, GutterMarks } from "./draw/Gutter.tsx";
import { HeaderMarks } from "./draw/Header.tsx";
import { OpenedFold } from "./draw/Fold.tsx";
import { timeLabel } from "./words.ts";
import styles from "./Timeline.module.css";

/** An event that a verdict names: where a claim was first broken. */
export interface VerdictMark {
  readonly seq: number;
  readonly claim: string;
}

export interface TimelineProps {
  readonly system: AnySystem;
  /** `system.lanes(config)`. */
  readonly lanes: readonly Lane[];
  /** The whole line; what lies beyond the cursor is drawn as outlines or not at all. */
  readonly run: AnyRun;
  /** How many actions have been taken: 0 … `run.actions.length`. */
  readonly cursor: number;
  /** Number of the selected event; null for none. */
  readonly selected: number | null;
  readonly onSelect: (seq: number | null) => void;
  /** Default none. */
  readonly verdictMarks?: readonly VerdictMark[];
  /** Default "comfortable". "presenter" draws everything larger. */
  readonly density?: Density;
  /** What lies beyond the cursor. Default "outline": places without words, values or fates. */
  readonly ahead?: "outline" | "hidden";
}

/** A pointer that only passes over an event does not light it up. */
const HOVER_MS = 70;

interface Opened {
  readonly beginning: unknown;
  readonly keys: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
const NO_VERDICTS: readonly VerdictMark[] = [];

export function Timeline(props: TimelineProps) {
  const { system, lanes, run, cursor, selected, onSelect, density = "comfortable" } = props;
  const { verdictMarks = NO_VERDICTS, ahead = "outline" } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const widthPx = useElementWidth(scroller);
  const scale = scaleOf(density);
  // What is unfolded belongs to a run's beginning: another scenario starts folded.
  const beginning = run.worlds[0];
  const [opened, setOpened] = useState<Opened>({ beginning, keys: NONE });
  const unfolded = opened.beginning === beginning ? opened.keys : NONE;
  const [hovered, setHovered] = useRested<number | null>(null, HOVER_MS);

  const moments = momentsOf(system, run);
  const marks = useMemo(
    () =>
      widthPx === 0
        ? null
        : layoutTimeline(
            { lanes, events: run.events, moments, picture: pictureOf(system.id), unfolded },
            Math.floor(widthPx / scale),
          ),
    [lanes, run.events, moments, system.id, unfolded, widthPx, scale],
  );

  const at = Math.min(cursor, moments.length - 1);
  const shown = moments[at]?.eventEnd ?? 0;
  const cursorY = marks?.cursorYs[at] ?? 0;
  const place =
    marks === null ? null : { y: cursorY, ...across(marks, shown - 1), run, cursor: at, width: marks.width };
  const visible = useVisibleWindow(scroller, place, scale);

  const looked = hovered !== null && hovered < shown ? hovered : null;
  const cone = useMemo(
    () => (looked === null ? null : causalCone(run.events.slice(0, shown), looked)),
    [run.events, looked, shown],
  );
  const toggleFold = useCallback(
    (key: number): void =>
      setOpened((before) => {
        const keys = new Set(before.beginning === beginning ? before.keys : NONE);
        if (!keys.delete(key)) keys.add(key);
        return { beginning, keys };
      }),
    [beginning],
  );

  if (marks === null) return <div ref={scroller} className={styles.stage} />;
  const conditions = moments[at]?.conditions ?? [];
  const label = timeLabel(moments[at]?.at ?? 0);
  const verdicts = verdictMarks.flatMap(({ seq, claim }) => {
    const mark = marks.events[seq];
    return mark === undefined || seq >= shown ? [] : [{ seq, claim, y: mark.y }];
  });
  return (
    <div ref={scroller} className={styles.stage} data-timeline="">
      <div className={styles.canvas} style={{ width: marks.width * scale }}>
        <svg
          className={styles.header}
          width={marks.width * scale}
          height={HEADER * scale}
          viewBox={`0 0 ${marks.width} ${HEADER}`}
          role="group"
          aria-label="Lanes"
        >
          <HeaderMarks lanes={marks.lanes} conditions={conditions} width={marks.width} />
        </svg>
        <div className={styles.row}>
          <svg
            className={styles.gutter}
            width={GUTTER * scale}
            height={marks.height * scale}
            viewBox={`0 0 ${GUTTER} ${marks.height}`}
            role="group"
            aria-label="Time"
          >
            <GutterMarks
              ticks={marks.ticks.filter((tick) => tick.y > visible.y0 && tick.y < visible.y1)}
              cursorY={cursorY}
              verdicts={verdicts}
            />
            {marks.opened.map((fold) => (
              <OpenedFold key={fold.key} mark={fold} onToggle={toggleFold} />
            ))}
            <CursorLabel y={cursorY} label={label} />
          </svg>
          <Body
            system={system}
            run={run}
            marks={marks}
            shown={shown}
            cursorY={cursorY}
            timeY={marks.timeYs[at] ?? cursorY}
            selected={selected}
            onSelect={onSelect}
            onHover={setHovered}
            onToggleFold={toggleFold}
            cone={cone}
            visible={visible}
            ahead={ahead}
            scale={scale}
            scroller={scroller}
          />
        </div>
      </div>
    </div>
  );
}

/** From where to where what happened last goes across the lanes: from the sender of a message to its receiver. */
function across(marks: TimelineMarks, seq: number): { readonly x0: number; readonly x1: number } {
  const last = marks.events[seq];
  if (last === undefined) return { x0: GUTTER, x1: GUTTER };
  const sender = last.depiction.arrival === null ? undefined : marks.events[last.depiction.arrival.from];
  return { x0: sender?.x ?? last.x, x1: last.x };
}
