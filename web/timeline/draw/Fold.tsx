// A stretch in which nothing new happens, folded: what it leaves out in words, and a way to open it.
import { memo } from "react";
import type { FoldMark } from "../layout/marks.ts";
import { GUTTER, TEXT } from "../layout/metrics.ts";
import { textWidth } from "../layout/textWidth.ts";
import styles from "./Fold.module.css";

export const FoldGround = memo(function FoldGround({
  mark,
  width,
}: {
  readonly mark: FoldMark;
  readonly width: number;
}) {
  const height = mark.y1 - mark.y0;
  return (
    <g>
      <rect className={styles.ground} x={GUTTER - 6} y={mark.y0} width={width - GUTTER + 6} height={height} />
    </g>
  );
});

export const FoldLabel = memo(function FoldLabel({ mark }: { readonly mark: FoldMark }) {
  const half = textWidth(mark.text, TEXT) / 2 + 18;
  const y = (mark.y0 + mark.y1) / 2;
  return (
    <g
      className={styles.label}
      data-fold={mark.key}
      role="button"
      tabIndex={0}
      aria-expanded="false"
      aria-label={mark.text}
    >
      <title>Show what is folded here</title>
      <rect className={styles.pill} x={mark.textX - half} y={y - 11} width={2 * half} height={22} rx={11} />
      <path
        className={styles.chevrons}
        d={`M${mark.textX - half + 10} ${y - 2} l3 -3 l3 3 m-6 4 l3 3 l3 -3`}
      />
      <text className={styles.text} x={mark.textX + 5} y={y + 3.8} textAnchor="middle">
        {mark.text}
      </text>
    </g>
  );
});

/** What was folded and is open now: a line along it, and a way to fold it again. */
export const OpenedFold = memo(function OpenedFold({
  mark,
  onToggle,
}: {
  readonly mark: FoldMark;
  readonly onToggle: (key: number) => void;
}) {
  const x = 6;
  return (
    <g
      className={styles.label}
      role="button"
      tabIndex={0}
      aria-expanded="true"
      aria-label={`Fold again: ${mark.text}`}
      onClick={() => onToggle(mark.key)}
      onKeyDown={(key) => {
        if (key.key !== "Enter" && key.key !== " ") return;
        key.preventDefault();
        key.stopPropagation();
        onToggle(mark.key);
      }}
    >
      <title>Fold this again</title>
      <rect
        className={styles.hit}
        x={0}
        y={mark.y0 - 8}
        width={14}
        height={Math.max(16, mark.y1 - mark.y0 + 16)}
      />
      <path className={styles.line} d={`M${x + 4} ${mark.y0} H${x} V${mark.y1} H${x + 4}`} />
      <path className={styles.line} d={`M${x - 3} ${(mark.y0 + mark.y1) / 2} h6`} />
    </g>
  );
});
