// Shown while something is on its way.
import css from "./Waiting.module.css";

export function Waiting({ what }: { readonly what: string }) {
  return (
    <p className={css.waiting} role="status">
      {what} is on its way …
    </p>
  );
}
