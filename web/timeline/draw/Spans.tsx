// What lasts in a lane: its bands, a pause, an absence, and the bracket that names a disagreement. Each is drawn as far as the
// cursor has come; beyond it only outlines of bands are left.
import { memo } from "react";
import { epochClass } from "../../theme/epochClass.ts";
import { epochFill } from "../../theme/EpochPatterns.tsx";
import { epochSlot } from "../../theme/epochPalette.ts";
import { BAND_MARGIN, LINE } from "../layout/metrics.ts";
import type { BandMark, BlockMark, GapMark, LabelMark } from "../layout/marks.ts";
import { Words } from "./Words.tsx";
import styles from "./Spans.module.css";

/** A badge with the epoch's number, again this often along a long band. */
const BADGE_EVERY = 560;

interface BandProps {
  readonly mark: BandMark;
  /** How far it is drawn full: from `y0` (not at all) to `y1` (all of it). */
  readonly cutY: number;
  readonly prefix: string;
  readonly ahead: boolean;
  /** Badges are drawn from here to there only. */
  readonly visibleY0: number;
  readonly visibleY1: number;
}

export const Band = memo(function Band(props: BandProps) {
  const { mark, cutY, prefix, ahead, visibleY0, visibleY1 } = props;
  const { x, width, y0, y1, epoch } = mark;
  const left = x - width / 2;
  const number = badgeText(epoch, width);
  return (
    <g className={epochClass(epoch.ordinal)}>
      {ahead && cutY < y1 && (
        <rect
          className={styles.bandAhead}
          x={left + 0.5}
          y={cutY}
          width={width - 1}
          height={y1 - cutY}
          rx={3}
        />
      )}
      {cutY > y0 && (
        <rect
          className={styles.band}
          x={left + 0.5}
          y={y0}
          width={width - 1}
          height={cutY - y0}
          rx={3}
          fill={epochFill(prefix, epochSlot(epoch.ordinal))}
        />
      )}
      {number !== null &&
        badges(y0, cutY, visibleY0, visibleY1).map((y) => (
          <g key={y}>
            <rect className={styles.badge} x={left + 1.5} y={y} width={width - 3} height={13} rx={2} />
            <text className={styles.badgeText} x={x} y={y + 9.8} textAnchor="middle">
              {number}
            </text>
          </g>
        ))}
    </g>
  );
});

/** The epoch's number as it fits into a band; its ordinal when the number is long; null when that is long too. */
function badgeText({ label, ordinal }: BandMark["epoch"], width: number): string | null {
  const digits = width > 12 ? 2 : 1;
  const found = [label, `#${ordinal}`].find((text) => text !== "" && text.length <= digits);
  return found ?? null;
}

function badges(y0: number, cutY: number, visibleY0: number, visibleY1: number): readonly number[] {
  const found: number[] = [];
  const first = y0 + 4;
  const skipped = Math.max(0, Math.floor((visibleY0 - first) / BADGE_EVERY));
  const last = Math.min(cutY, visibleY1);
  for (let y = first + skipped * BADGE_EVERY; y + 18 <= last; y += BADGE_EVERY) found.push(y);
  return found;
}

interface BlockProps {
  readonly mark: BlockMark;
  readonly cutY: number;
  readonly prefix: string;
}

export const Block = memo(function Block({ mark, cutY, prefix }: BlockProps) {
  const { x0, x1, y0, condition } = mark;
  if (cutY <= y0) return null;
  if (condition === "down")
    return <rect className={styles.down} x={x0} y={y0} width={x1 - x0} height={cutY - y0} />;
  return (
    <rect
      className={styles.paused}
      x={x0 + 0.5}
      y={y0}
      width={x1 - x0 - 1}
      height={cutY - y0}
      rx={4}
      fill={`url(#${prefix}-paused)`}
    />
  );
});

export function PausePattern({ prefix }: { readonly prefix: string }) {
  return (
    <pattern
      id={`${prefix}-paused`}
      width={7}
      height={7}
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(-45)"
    >
      <rect className={styles.veil} width={7} height={7} />
      <rect className={styles.hatch} width={1.5} height={7} />
    </pattern>
  );
}

interface GapProps {
  readonly mark: GapMark;
  readonly cutY: number;
  readonly labels: readonly LabelMark[];
}

export const Gap = memo(function Gap({ mark, cutY, labels }: GapProps) {
  const { x, y0, tone } = mark;
  if (cutY - y0 < 2) return null;
  return (
    <g className={tone === "bad" ? styles.gapBad : styles.gapWarn}>
      <path
        className={styles.bracket}
        d={`M${x - BAND_MARGIN} ${y0 + 1} H${x} V${cutY - 1} H${x - BAND_MARGIN}`}
      />
      {labels.map((label) => label.y - LINE / 2 < cutY && <Words key={label.y} mark={label} large />)}
    </g>
  );
});
