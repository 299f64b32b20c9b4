// What could happen next: what is due, what an operator could do, and what cannot happen now, with the reason.
import { useMemo } from "react";
import { choicesAt, numbered, type Choice } from "../state/choices.ts";
import { act } from "../state/store.ts";
import { Fold, Section } from "../parts/Section.tsx";
import { clockText, type Seen } from "./useHere.ts";
import css from "./Next.module.css";

/** Impossible things shown without being asked for. */
const GREYED = 3;

export function Next({ here }: { readonly here: Seen }) {
  const { origin, world, run, moment } = here;
  const choices = useMemo(() => choicesAt(origin.system, world), [origin, world]);
  const keys = numbered(choices);
  const possible = choices.filter((choice) => choice.impossible === null);
  const impossible = choices.filter((choice) => choice.impossible !== null);
  const isPast = moment.cursor < run.actions.length;
  return (
    <Section title="What could happen next">
      {isPast && (
        <p className={css.hint}>
          Another choice than the line’s own makes a branch; the line stays as it is.
        </p>
      )}
      <ol className={css.list}>
        {possible.map((choice) => (
          <li key={choice.offer.id}>
            <button
              type="button"
              className={css.choice}
              onClick={() => act(choice.actions, choice.offer.label)}
            >
              <kbd className={css.key}>{keys.includes(choice) ? keys.indexOf(choice) + 1 : ""}</kbd>
              <span className={css.label}>{choice.offer.label}</span>
              {choice.offer.dueMs !== null && (
                <span className={css.due}>at {clockText(choice.offer.dueMs)}</span>
              )}
            </button>
          </li>
        ))}
        {possible.length === 0 && <li className={css.hint}>Nothing happens by itself from here.</li>}
      </ol>
      <Impossible choices={impossible.slice(0, GREYED)} />
      {impossible.length > GREYED && (
        <Fold
          title={<span className={css.hint}>{impossible.length - GREYED} more that cannot happen now</span>}
        >
          <Impossible choices={impossible.slice(GREYED)} />
        </Fold>
      )}
    </Section>
  );
}

/** Those with the same reason stand together above it. */
function Impossible({ choices }: { readonly choices: readonly Choice[] }) {
  if (choices.length === 0) return null;
  const byReason = new Map<string, Choice[]>();
  for (const choice of choices) {
    const reason = choice.impossible ?? "";
    const same = byReason.get(reason);
    if (same === undefined) byReason.set(reason, [choice]);
    else same.push(choice);
  }
  return (
    <ul className={css.list} aria-label="Cannot happen now">
      {[...byReason].map(([reason, same]) => (
        <li key={reason} className={css.impossible}>
          {same.map(({ offer }) => (
            <span key={offer.id} className={css.greyed}>
              <span className={css.label}>{offer.label}</span>
              {offer.dueMs !== null && <span className={css.due}>at {clockText(offer.dueMs)}</span>}
            </span>
          ))}
          <small>{reason}</small>
        </li>
      ))}
    </ul>
  );
}
