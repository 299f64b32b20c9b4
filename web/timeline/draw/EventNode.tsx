// An event in the picture: its shape, its words, and what makes it reachable by pointer, keyboard and screen reader.
import { memo } from "react";
import type { Tint } from "../causes.ts";
import type { EventMark, LabelMark } from "../layout/marks.ts";
import { EventShape } from "./EventShape.tsx";
import { Words } from "./Words.tsx";
import styles from "./EventNode.module.css";

export interface EventNodeProps {
  readonly mark: EventMark;
  readonly prefix: string;
  readonly ahead: boolean;
  readonly selected: boolean;
  /** The one event of the picture that the Tab key comes to. */
  readonly current: boolean;
  readonly tint: Tint | undefined;
  /** Its sentence with its time. Not asked for while it is ahead. */
  readonly sentence: string;
  readonly label: LabelMark | undefined;
}

const ROOM = 4;
/** Least half-height for pointers. */
const TOUCH = 7;

export const EventNode = memo(function EventNode(props: EventNodeProps) {
  const { mark, prefix, ahead, selected, current, tint, sentence, label } = props;
  const { x, y, halfWidth, halfHeight } = mark;
  const ring = (selected || current || tint !== undefined) && (
    <rect
      className={styles.ring}
      x={x - halfWidth - ROOM}
      y={y - halfHeight - ROOM}
      width={2 * (halfWidth + ROOM)}
      height={2 * (halfHeight + ROOM)}
      rx={6}
    />
  );
  // Many things may happen to a process at one instant: rings around all of them would hide it.
  const slim = mark.depiction.shape.kind === "tick" || mark.depiction.shape.kind === "note";
  const trace = slim && tint !== undefined && (
    <path className={styles.trace} d={`M${x - halfWidth - ROOM} ${y} H${x + halfWidth + ROOM}`} />
  );
  const touch = mark.folded ? halfHeight : Math.max(TOUCH, halfHeight);
  // Cells and records are what a pointer meets themselves.
  const solid = mark.depiction.shape.kind === "cell" && !mark.folded;
  const hit = !solid && (
    <rect
      className={styles.hit}
      x={x - halfWidth - ROOM}
      y={y - touch}
      width={2 * (halfWidth + ROOM)}
      height={2 * touch}
    />
  );
  if (ahead)
    return (
      <g className={`${styles.event} ${styles.ahead}`} data-seq={mark.seq} aria-hidden="true">
        {hit}
        <EventShape mark={mark} prefix={prefix} ahead side={-1} />
      </g>
    );
  const look = `${styles.event} ${slim ? styles.slim : ""} ${selected ? styles.selected : ""} ${tint === undefined ? "" : styles[tint]}`;
  return (
    <g
      className={look}
      data-seq={mark.seq}
      data-tint={tint}
      role="button"
      tabIndex={current ? 0 : -1}
      aria-label={sentence}
      aria-pressed={selected}
    >
      {hit}
      {ring}
      {trace}
      <EventShape mark={mark} prefix={prefix} ahead={false} side={label?.anchor === "start" ? 1 : -1} />
      {label !== undefined && <Words mark={label} />}
    </g>
  );
});
