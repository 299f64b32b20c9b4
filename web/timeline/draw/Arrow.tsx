// A message: a slanted arrow from where it was sent to where it came to its end. Lost: a cross. On its way: an open end.
// Refused: a bar.
import { memo } from "react";
import { epochClass } from "../../theme/epochClass.ts";
import { epochDash } from "../../theme/epochPalette.ts";
import type { Tint } from "../causes.ts";
import type { ArrowMark } from "../layout/marks.ts";
import styles from "./Arrow.module.css";

export interface ArrowProps {
  readonly mark: ArrowMark;
  readonly state: "done" | "flight" | "ahead";
  /** Where the cursor cuts it while it is in flight. */
  readonly cutY: number;
  readonly tint: Tint | undefined;
}

/** However short it has been on its way, this part of it shows that it was sent. */
const PART_LEAST = 0.14;

export const Arrow = memo(function Arrow({ mark, state, cutY, tint }: ArrowProps) {
  const { x0, y0, x1, y1, epoch, weight, fate } = mark;
  const look = [
    styles.arrow,
    styles[weight],
    mark.routine ? styles.routine : "",
    mark.stale ? styles.stale : "",
    fate === "ignored" ? styles.ignored : fate === "lost" ? styles.lost : "",
    tint === undefined ? "" : styles[tint],
    epochClass(epoch?.ordinal ?? null),
  ].join(" ");
  if (state === "ahead")
    return (
      <g className={`${look} ${styles.ahead}`} data-seq={mark.seq} data-tint={tint}>
        <line className={styles.line} x1={x0} y1={y0} x2={x1} y2={y1} />
      </g>
    );
  const part =
    state === "flight" && fate !== "in-flight"
      ? Math.max(PART_LEAST, y1 === y0 ? 1 : Math.min(1, (cutY - y0) / (y1 - y0)))
      : 1;
  const tipX = x0 + (x1 - x0) * part;
  const tipY = y0 + (y1 - y0) * part;
  const open = state === "flight" || fate === "in-flight";
  const dash = epoch === null ? undefined : epochDash(epoch.ordinal);
  const end = open ? null : head(mark);
  return (
    <g className={look} data-seq={mark.seq} data-tint={tint}>
      {weight === "work" && <line className={styles.rim} x1={x0} y1={y0} x2={tipX} y2={tipY} />}
      <line className={styles.line} x1={x0} y1={y0} x2={tipX} y2={tipY} strokeDasharray={dash} />
      {open && <circle className={styles.open} cx={tipX} cy={tipY} r={3} />}
      {end}
    </g>
  );
});

/** What the arrow ends with. */
function head({ x0, y0, x1, y1, fate, weight, stale }: ArrowMark) {
  if (fate === "lost") return null;
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const size = weight === "work" ? (stale ? 10 : 8.5) : weight === "request" ? 7 : 5.5;
  const at = (along: number, across: number): string =>
    `${(x1 - ux * along - uy * across).toFixed(1)} ${(y1 - uy * along + ux * across).toFixed(1)}`;
  if (fate === "refused")
    return (
      <>
        <path
          className={styles.head}
          d={`M${at(3, 0)} L${at(size + 3, size * 0.42)} L${at(size + 3, -size * 0.42)} z`}
        />
        <path className={styles.bar} d={`M${at(1, 7)} L${at(1, -7)}`} />
      </>
    );
  const wing = size * 0.42;
  const d = `M${at(0, 0)} L${at(size, wing)} L${at(size, -wing)} z`;
  return <path className={fate === "ignored" ? styles.hollow : styles.head} d={d} />;
}
