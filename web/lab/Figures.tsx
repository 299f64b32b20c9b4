// Safety margin and times, each with its arithmetic.
import { useMemo } from "react";
import { Section } from "../parts/Section.tsx";
import type { Seen } from "./useHere.ts";
import css from "./Figures.module.css";

export function Figures({ here }: { readonly here: Seen }) {
  const { view, origin, run, end, nowMs } = here;
  const figures = useMemo(
    () => view.figures(origin.config, run.events.slice(0, end), nowMs),
    [view, origin, run, end, nowMs],
  );
  return (
    <Section title="Margins and times">
      <dl className={css.figures}>
        {figures.map((figure) => (
          <div key={figure.label} className={css.figure}>
            <dt>{figure.label}</dt>
            <dd className={css.value} data-tone={figure.tone}>
              {figure.value}
            </dd>
            <dd className={css.how}>{figure.how}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
