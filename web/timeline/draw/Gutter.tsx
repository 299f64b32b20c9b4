// The time axis: round times, where claims broke, and the cursor's own time.
import { GUTTER } from "../layout/metrics.ts";
import type { TickMark } from "../layout/marks.ts";
import styles from "./Gutter.module.css";

/** Something that a verdict names, shown at its place in time. */
export interface VerdictPlace {
  readonly seq: number;
  readonly y: number;
  readonly claim: string;
}

/** A tick this near to the cursor's label gives way to it. */
const CLEAR = 14;

export function GutterMarks({
  ticks,
  cursorY,
  verdicts,
}: {
  readonly ticks: readonly TickMark[];
  readonly cursorY: number;
  readonly verdicts: readonly VerdictPlace[];
}) {
  return (
    <g>
      {ticks.map((tick) =>
        Math.abs(tick.y - cursorY) < CLEAR ? null : (
          <text key={tick.atMs} className={styles.tick} x={GUTTER - 8} y={tick.y + 3.5} textAnchor="end">
            {tick.label}
          </text>
        ),
      )}
      {verdicts.map((verdict) => (
        <path
          key={`${verdict.seq} ${verdict.claim}`}
          className={styles.broken}
          d={`M${GUTTER - 4} ${verdict.y - 4} l8 8 m0 -8 l-8 8`}
        >
          <title>{`Broken here: ${verdict.claim}`}</title>
        </path>
      ))}
    </g>
  );
}

/** The cursor's time and the triangle that points into the picture. */
export function CursorLabel({ y, label }: { readonly y: number; readonly label: string }) {
  return (
    <g>
      <rect className={styles.ground} x={0} y={y - 8} width={GUTTER - 2} height={16} />
      <text className={styles.cursor} x={GUTTER - 10} y={y + 4} textAnchor="end">
        {label}
      </text>
      <path className={styles.pointer} d={`M${GUTTER - 8} ${y - 5} l8 5 l-8 5 z`} />
    </g>
  );
}
