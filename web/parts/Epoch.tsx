// A small cell that wears an epoch's colour. The number stands in it or beside it: colour alone never says which epoch.
import type { ReactNode } from "react";
import { epochSlot } from "../theme/epochPalette.ts";
import css from "./Epoch.module.css";

export function Epoch({
  ordinal,
  title,
  isNew = false,
  isBad = false,
  children,
}: {
  /** The acquisition, from 1; 0 for none. */
  readonly ordinal: number;
  readonly title: string;
  readonly isNew?: boolean;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={css.cell}
      data-slot={epochSlot(ordinal)}
      data-new={isNew || undefined}
      data-bad={isBad || undefined}
      title={title}
    >
      {children}
      {ordinal > 0 && <sub className={css.ordinal}>e{ordinal}</sub>}
    </span>
  );
}
