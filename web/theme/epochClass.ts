// The class that gives an element the colours of an epoch.
import { epochSlot } from "./epochPalette.ts";
import styles from "./epoch.module.css";

/** Inside it `var(--epoch)` and `var(--epoch-soft)` are the epoch's colours. `ordinal`: which acquisition, from 1. */
export function epochClass(ordinal: number | null): string {
  return styles[`slot${epochSlot(ordinal)}`] ?? "";
}
