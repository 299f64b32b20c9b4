// The shape of an event in its lane: a tick, a record on the register's line, a cell on the sink's, a cross.
import { epochClass } from "../../theme/epochClass.ts";
import { epochFill } from "../../theme/EpochPatterns.tsx";
import { epochDash, epochSlot } from "../../theme/epochPalette.ts";
import type { EventMark } from "../layout/marks.ts";
import { CELL_HEIGHT, CELL_TAB, RECORD, TEXT_TAB } from "../layout/metrics.ts";
import { textWidth } from "../layout/textWidth.ts";
import styles from "./EventShape.module.css";

interface Props {
  readonly mark: EventMark;
  readonly prefix: string;
  /** Only its outline: it has not happened yet. */
  readonly ahead: boolean;
  /** On which side of its lane its words stand. */
  readonly side: 1 | -1;
}

export function EventShape({ mark, prefix, ahead, side }: Props) {
  const { shape } = mark.depiction;
  if (mark.folded) return <Tick mark={mark} side={side} />;
  switch (shape.kind) {
    case "cell":
      return ahead ? <Outline mark={mark} /> : <Cell mark={mark} />;
    case "record": {
      if (ahead) return <Outline mark={mark} />;
      const slot = epochSlot(shape.epoch?.ordinal ?? null);
      if (shape.look === "dot") return <circle className={styles.dot} cx={mark.x} cy={mark.y} r={2.8} />;
      const hollow = shape.look === "hollow" || slot === 0;
      return (
        <rect
          className={`${hollow ? styles.hollow : styles.record} ${epochClass(shape.epoch?.ordinal ?? null)}`}
          x={mark.x - RECORD / 2}
          y={mark.y - RECORD / 2}
          width={RECORD}
          height={RECORD}
          rx={2}
          fill={hollow ? undefined : epochFill(prefix, slot)}
        />
      );
    }
    case "cross": {
      if (ahead) return null;
      const d = `M${mark.x - 5} ${mark.y - 5} l10 10 m0 -10 l-10 10`;
      return (
        <>
          <path className={styles.crossRim} d={d} />
          <path className={shape.words?.tone === "bad" ? styles.crossBad : styles.cross} d={d} />
        </>
      );
    }
    case "note":
    case "tick":
      return <Tick mark={mark} side={side} />;
    default:
      return null;
  }
}

/** A short stroke beside a lane, on the side of its words; a dash across the line of a register. What a message begins or ends needs none. */
function Tick({ mark, side }: { readonly mark: EventMark; readonly side: 1 | -1 }) {
  const { x, y, halfWidth, folded, depiction } = mark;
  if (!folded && (depiction.sends !== null || depiction.arrival !== null)) return null;
  const length = folded ? 3 : 5;
  return (
    <path
      className={styles.tick}
      d={
        halfWidth > RECORD
          ? `M${x + side * (halfWidth + 1)} ${y} h${-side * length}`
          : `M${x - length} ${y} h${2 * length}`
      }
    />
  );
}

function Outline({ mark }: { readonly mark: EventMark }) {
  const { x, y, halfWidth, halfHeight } = mark;
  return (
    <rect
      className={styles.outline}
      x={x - halfWidth}
      y={y - halfHeight}
      width={2 * halfWidth}
      height={2 * halfHeight}
      rx={4}
    />
  );
}

function Cell({ mark }: { readonly mark: EventMark }) {
  const { shape } = mark.depiction;
  if (shape.kind !== "cell") return null;
  const { x, y, halfWidth, tab, text } = mark;
  const tabWidth = tab === "" ? 0 : CELL_TAB + Math.max(0, textWidth(tab, TEXT_TAB, "bold") - 9);
  const top = y - CELL_HEIGHT / 2;
  const left = x - halfWidth;
  const open = shape.style === "refused" || shape.style === "pending";
  return (
    <g className={`${styles.cell} ${styles[shape.style]} ${epochClass(shape.epoch?.ordinal ?? null)}`}>
      <rect className={styles.ground} x={left} y={top} width={2 * halfWidth} height={CELL_HEIGHT} rx={4} />
      {tab !== "" && (
        <>
          <path
            className={open ? styles.tabOpen : styles.tab}
            d={`M${left + 4} ${top} H${left + tabWidth} V${top + CELL_HEIGHT} H${left + 4} a4 4 0 0 1 -4 -4 V${top + 4} a4 4 0 0 1 4 -4 z`}
          />
          <text
            className={open ? styles.tabTextOpen : styles.tabText}
            x={left + tabWidth / 2 + 0.5}
            y={y + 3.6}
            textAnchor="middle"
          >
            {tab}
          </text>
        </>
      )}
      <text
        className={styles.value}
        x={left + tabWidth + (2 * halfWidth - tabWidth) / 2}
        y={y + 4.2}
        textAnchor="middle"
      >
        {text}
      </text>
      <rect
        className={styles.edge}
        x={left}
        y={top}
        width={2 * halfWidth}
        height={CELL_HEIGHT}
        rx={4}
        strokeDasharray={
          open ? "3 2.5" : epochDash(shape.style === "stale" ? null : (shape.epoch?.ordinal ?? null))
        }
      />
    </g>
  );
}
