// Words for screen readers alone.
import type { HTMLAttributes } from "react";
import css from "./Hidden.module.css";

export function Hidden(props: Omit<HTMLAttributes<HTMLSpanElement>, "className">) {
  return <span {...props} className={css.hidden} />;
}

export function HiddenHeading({ children }: { readonly children: string }) {
  return <h1 className={css.hidden}>{children}</h1>;
}
