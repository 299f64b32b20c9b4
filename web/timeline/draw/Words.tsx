// Words in the picture, with a rim in the page's colour so that they can be read across a line.
import { epochClass } from "../../theme/epochClass.ts";
import type { LabelMark } from "../layout/marks.ts";
import { LINE } from "../layout/metrics.ts";
import styles from "./Words.module.css";

/** From the middle of a line to its baseline. */
const BASE = 3.8;

export function Words({ mark, large = false }: { readonly mark: LabelMark; readonly large?: boolean }) {
  const { lines, x, y, anchor, angle, tone, epoch, bold } = mark;
  const look = [
    styles.words,
    epoch === null ? styles[tone] : `${styles.epoch} ${epochClass(epoch)}`,
    bold ? styles.bold : "",
    large ? styles.large : "",
  ].join(" ");
  const turned = angle === 0 ? undefined : `rotate(${angle.toFixed(2)} ${x.toFixed(1)} ${y.toFixed(1)})`;
  const [first] = lines;
  if (lines.length === 1)
    return (
      <text className={look} x={x} y={y + BASE} textAnchor={anchor} transform={turned}>
        {first}
      </text>
    );
  return (
    <text className={look} textAnchor={anchor} transform={turned}>
      {lines.map((line, index) => (
        <tspan key={line} x={x} y={y + index * LINE + BASE}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
