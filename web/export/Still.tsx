// The picture as one still: title, lanes, time axis and marks up to the cursor in a single SVG, with a legend below.
import { sum } from "d3-array";
import { useId } from "react";
import type { Lane } from "../../shared/systems/system.ts";
import { EpochPatterns, epochFill } from "../theme/EpochPatterns.tsx";
import { epochClass } from "../theme/epochClass.ts";
import { epochSlot } from "../theme/epochPalette.ts";
import { CursorLabel, GutterMarks } from "../timeline/draw/Gutter.tsx";
import { HeaderMarks } from "../timeline/draw/Header.tsx";
import { Layers } from "../timeline/draw/Layers.tsx";
import { layoutTimeline } from "../timeline/layout/layout.ts";
import type { BandMark, LaneMark } from "../timeline/layout/marks.ts";
import { BOTTOM, GUTTER, HEADER, TEXT } from "../timeline/layout/metrics.ts";
import { textWidth } from "../timeline/layout/textWidth.ts";
import { momentsOf, type AnyRun, type AnySystem } from "../timeline/moments.ts";
import { pictureOf } from "../timeline/picture/pictures.ts";
import { timeLabel } from "../timeline/words.ts";
import styles from "./Still.module.css";

export interface StillProps {
  readonly system: AnySystem;
  readonly lanes: readonly Lane[];
  readonly run: AnyRun;
  /** The still shows what had happened after this many actions. */
  readonly cursor: number;
  readonly title: string;
  /** Width in pixels; the picture is wider when its lanes need it. Default 960. */
  readonly widthPx?: number;
  readonly verdictMarks?: readonly { readonly seq: number; readonly claim: string }[];
}

const TITLE = 36;
const LEGEND = 40;
const SWATCH = 12;
const NOTHING_OPEN: ReadonlySet<number> = new Set();

export function Still(props: StillProps) {
  const { system, lanes, run, cursor, title, widthPx = 960, verdictMarks = [] } = props;
  const prefix = useId();
  const clip = useId();
  const moments = momentsOf(system, run);
  const marks = layoutTimeline(
    { lanes, events: run.events, moments, picture: pictureOf(system.id), unfolded: NOTHING_OPEN },
    widthPx,
  );
  const at = Math.min(cursor, moments.length - 1);
  const moment = moments[at];
  const shown = moment?.eventEnd ?? 0;
  const cursorY = marks.cursorYs[at] ?? 0;
  const bodyHeight = Math.min(marks.height, cursorY + BOTTOM);
  const top = TITLE + HEADER;
  const height = top + bodyHeight + LEGEND;
  const { width } = marks;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${title}, at ${timeLabel(moment?.at ?? 0)} s`}
    >
      <defs>
        <EpochPatterns prefix={prefix} />
        <clipPath id={clip}>
          <rect x={0} y={0} width={width} height={bodyHeight} />
        </clipPath>
      </defs>
      <rect className={styles.ground} width={width} height={height} />
      <text className={styles.title} x={16} y={26}>
        {title}
      </text>
      <g transform={`translate(0 ${TITLE})`}>
        <HeaderMarks lanes={marks.lanes} conditions={moment?.conditions ?? []} width={width} />
      </g>
      <g transform={`translate(0 ${top})`}>
        <g clipPath={`url(#${clip})`}>
          <Layers
            system={system}
            run={run}
            marks={marks}
            prefix={prefix}
            shown={shown}
            cursorY={cursorY}
            timeY={marks.timeYs[at] ?? cursorY}
            selected={null}
            current={-1}
            cone={null}
            visible={{ y0: 0, y1: bodyHeight }}
            ahead="hidden"
          />
          <GutterMarks
            ticks={marks.ticks.filter((tick) => tick.y < bodyHeight)}
            cursorY={cursorY}
            verdicts={verdictMarks.flatMap(({ seq, claim }) => {
              const mark = marks.events[seq];
              return mark === undefined || seq >= shown ? [] : [{ seq, claim, y: mark.y }];
            })}
          />
          <CursorLabel y={cursorY} label={timeLabel(moment?.at ?? 0)} />
        </g>
      </g>
      <g transform={`translate(${GUTTER} ${height - LEGEND / 2})`}>
        <Legend
          epochs={epochsOf(marks.bands.filter((band) => band.y0 < cursorY))}
          lanes={marks.lanes}
          prefix={prefix}
        />
      </g>
    </svg>
  );
}

/** Each epoch once, in order. */
function epochsOf(bands: readonly BandMark[]): readonly BandMark["epoch"][] {
  const found = new Map<number, BandMark["epoch"]>();
  for (const { epoch } of bands) if (!found.has(epoch.ordinal)) found.set(epoch.ordinal, epoch);
  return Array.from(found.values()).toSorted((left, right) => left.ordinal - right.ordinal);
}

function Legend({
  epochs,
  lanes,
  prefix,
}: {
  readonly epochs: readonly BandMark["epoch"][];
  readonly lanes: readonly LaneMark[];
  readonly prefix: string;
}) {
  const bands = lanes.find((lane) => lane.bands.length > 0)?.bands ?? [];
  const meaning = bands.map(({ letter, meaning: words }) => `${letter} ${words}`).join(" · ");
  const texts = epochs.map(({ label, ordinal }) => `epoch ${label === "" ? `#${ordinal}` : label}`);
  const widths = texts.map((text) => SWATCH + 6 + textWidth(text, TEXT) + 16);
  const entries = epochs.map((epoch, index) => ({
    epoch,
    text: texts[index],
    x: sum(widths.slice(0, index)),
  }));
  return (
    <>
      {entries.map(({ epoch, text, x: left }) => (
        <g key={epoch.ordinal} className={epochClass(epoch.ordinal)}>
          <rect
            className={styles.swatch}
            x={left}
            y={-SWATCH / 2}
            width={SWATCH}
            height={SWATCH}
            rx={2}
            fill={epochFill(prefix, epochSlot(epoch.ordinal))}
          />
          <text className={styles.legend} x={left + SWATCH + 6} y={4}>
            {text}
          </text>
        </g>
      ))}
      <text className={styles.legend} x={sum(widths)} y={4}>
        {meaning}
      </text>
    </>
  );
}
