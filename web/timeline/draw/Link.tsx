// The way from a check to its act, beside the lane of a sink: as long as anything may come in between.
import { memo } from "react";
import { epochClass } from "../../theme/epochClass.ts";
import { epochSlot } from "../../theme/epochPalette.ts";
import type { LinkMark } from "../layout/marks.ts";
import styles from "./Link.module.css";

/** Links of several epochs run side by side. */
const OUT = 6;
const BESIDE = 4;

export const Link = memo(function Link({ mark, cutY }: { readonly mark: LinkMark; readonly cutY: number }) {
  const { x, y0, y1, epoch } = mark;
  const ordinal = epoch?.ordinal ?? null;
  const out = x - OUT - BESIDE * (epochSlot(ordinal) % 3);
  const done = cutY >= y1;
  return (
    <g className={`${styles.link} ${epochClass(ordinal)}`}>
      <path
        className={styles.line}
        d={`M${x} ${y0} H${out} V${done ? y1 : cutY}${done ? ` H${x - 5}` : ""}`}
      />
      {done && <path className={styles.head} d={`M${x} ${y1} l-6 -3 v6 z`} />}
    </g>
  );
});
