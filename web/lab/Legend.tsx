// What the colours and the three bands mean, for the epochs that have been seen so far.
import { useMemo } from "react";
import { Section } from "../parts/Section.tsx";
import { EpochSwatch } from "../theme/EpochSwatch.tsx";
import type { Seen } from "./useHere.ts";
import css from "./Legend.module.css";

export function Legend({ here }: { readonly here: Seen }) {
  const { origin, run, view, end } = here;
  const bands = useMemo(
    () => origin.system.lanes(origin.config).find((lane) => lane.bands.length > 0)?.bands ?? [],
    [origin],
  );
  const epochs = useMemo(() => {
    const seen = new Set<number>();
    for (const event of run.events.slice(0, end)) {
      const ordinal = view.epochOf(event);
      if (ordinal > 0) seen.add(ordinal);
    }
    return [...seen].toSorted((left, right) => left - right);
  }, [run, view, end]);
  return (
    <Section title="Colours and bands">
      <ul className={css.epochs}>
        {epochs.length === 0 && <li className={css.soft}>A colour for every epoch, once one begins.</li>}
        {epochs.map((ordinal) => (
          <li key={ordinal}>
            <EpochSwatch ordinal={ordinal} /> epoch {ordinal}
          </li>
        ))}
      </ul>
      <dl className={css.bands}>
        {bands.map((band) => (
          <div key={band.id}>
            <dt>{band.letter}</dt>
            <dd>{band.meaning}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
