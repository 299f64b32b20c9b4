// A titled part of a column, and one that the reader opens and closes.
import { useId, type ReactNode } from "react";
import css from "./Section.module.css";

export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export function Fold({
  title,
  isOpen = false,
  children,
}: {
  readonly title: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details className={css.fold} open={isOpen}>
      <summary className={css.summary}>{title}</summary>
      <div className={css.inside}>{children}</div>
    </details>
  );
}
