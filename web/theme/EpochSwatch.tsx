// A small square in an epoch's colour and pattern, for legends and for words about an epoch. The number goes beside it.
import { useId } from "react";
import { epochSlot } from "./epochPalette.ts";
import { epochClass } from "./epochClass.ts";
import { EpochPatterns, epochFill } from "./EpochPatterns.tsx";
import styles from "./EpochSwatch.module.css";

/** `ordinal`: which acquisition, from 1. `sizePx` defaults to 14. Decoration: say the number in words beside it. */
export function EpochSwatch({
  ordinal,
  sizePx = 14,
}: {
  readonly ordinal: number;
  readonly sizePx?: number;
}) {
  const prefix = useId();
  return (
    <svg
      className={`${styles.swatch} ${epochClass(ordinal)}`}
      width={sizePx}
      height={sizePx}
      viewBox="0 0 14 14"
      aria-hidden="true"
    >
      <defs>
        <EpochPatterns prefix={prefix} />
      </defs>
      <rect width={14} height={14} rx={3} fill={epochFill(prefix, epochSlot(ordinal))} />
      <rect className={styles.edge} x={0.75} y={0.75} width={12.5} height={12.5} rx={2.5} />
    </svg>
  );
}
