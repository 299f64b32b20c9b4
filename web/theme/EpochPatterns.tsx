// The eight fills of epochs: each a colour and a drawing of its own, so that they differ without colour too.
import { EPOCH_COLOURS } from "./epochPalette.ts";
import { epochClass } from "./epochClass.ts";
import styles from "./EpochPatterns.module.css";

/** The `fill` of an epoch inside an SVG that has `<EpochPatterns prefix={prefix} />` in it. */
export function epochFill(prefix: string, slot: number): string {
  return slot === 0 ? "none" : `url(#${prefix}-${slot})`;
}

function Drawing({ slot }: { readonly slot: number }) {
  const thin = `${styles.line} ${styles.thin}`;
  switch (slot) {
    case 2:
      return <path className={styles.line} d="M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6" />;
    case 3:
      return (
        <>
          <circle className={styles.solid} cx={2} cy={2} r={1.5} />
          <circle className={styles.solid} cx={6} cy={6} r={1.5} />
        </>
      );
    case 4:
      return <path className={styles.line} d="M-2 6 L2 10 M0 0 L8 8 M6 -2 L10 2" />;
    case 5:
      return <path className={styles.line} d="M0 2 H8" />;
    case 6:
      return <path className={thin} d="M0 0 L8 8 M8 0 L0 8" />;
    case 7:
      return <path className={thin} d="M-1 5 L2 2 L6 6 L9 3" />;
    case 8:
      return <path className={thin} d="M0 1 H8 M0 5 H8 M2 1 V5 M6 5 V9" />;
    default:
      return <rect className={styles.solid} width={8} height={8} />;
  }
}

/** Goes into the `<defs>` of an SVG. `prefix` must be unique in the document. */
export function EpochPatterns({ prefix }: { readonly prefix: string }) {
  return (
    <>
      {Array.from({ length: EPOCH_COLOURS }, (_, index) => index + 1).map((slot) => (
        <pattern
          key={slot}
          id={`${prefix}-${slot}`}
          className={epochClass(slot)}
          width={8}
          height={8}
          patternUnits="userSpaceOnUse"
        >
          <rect className={styles.ground} width={8} height={8} />
          <Drawing slot={slot} />
        </pattern>
      ))}
    </>
  );
}
