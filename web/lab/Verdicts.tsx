// What must hold and what must happen, at the cursor, each with the first event that decided it.
import type { Verdict } from "../../shared/invariant/invariant.ts";
import { unreachable } from "../../shared/base/assert.ts";
import { verdictsAt } from "../state/derive.ts";
import { goToEvent } from "../state/store.ts";
import { Hidden } from "../parts/Hidden.tsx";
import { Fold, Section } from "../parts/Section.tsx";
import { clockText, type Seen } from "./useHere.ts";
import css from "./Verdicts.module.css";

export function Verdicts({ here }: { readonly here: Seen }) {
  const { origin, run, moment } = here;
  const verdicts = verdictsAt(origin, run, moment.cursor);
  const about = new Map(origin.invariants.map((invariant) => [invariant.id, invariant.about]));
  const claimed = origin.scenario?.verdicts ?? {};
  // In front: what the scenario is about, what each sink promises, and whatever has been decided against.
  const isChief = ({ invariant, kind }: Verdict): boolean =>
    kind === "broken" || kind === "reached" || invariant in claimed || invariant.startsWith("ordered:");
  const chief = verdicts.filter(isChief);
  const others = verdicts.filter((verdict) => !isChief(verdict));
  return (
    <Section title="Verdicts">
      <ul className={css.list}>
        {chief.map((verdict) => (
          <Item key={verdict.invariant} verdict={verdict} about={about.get(verdict.invariant) ?? ""} />
        ))}
      </ul>
      {others.length > 0 && (
        <Fold title={<span className={css.more}>{summaryOf(others)}</span>}>
          <ul className={css.list}>
            {others.map((verdict) => (
              <Item key={verdict.invariant} verdict={verdict} about={about.get(verdict.invariant) ?? ""} />
            ))}
          </ul>
        </Fold>
      )}
    </Section>
  );
}

function summaryOf(verdicts: readonly Verdict[]): string {
  const holding = verdicts.filter(({ kind }) => kind === "holds").length;
  const open = verdicts.length - holding;
  return [
    ...(holding > 0 ? [`${holding} more ${holding === 1 ? "holds" : "hold"}`] : []),
    ...(open > 0 ? [`${open} not seen yet`] : []),
  ].join(", ");
}

function Item({ verdict, about }: { readonly verdict: Verdict; readonly about: string }) {
  const { glyph, word } = signOf(verdict);
  return (
    <li className={css.item} data-kind={verdict.kind} title={about}>
      <span className={css.glyph} aria-hidden="true">
        {glyph}
      </span>
      <span className={css.claim}>
        <Hidden>{word}: </Hidden>
        {verdict.claim}
      </span>
      {"seq" in verdict && (
        <button
          type="button"
          className={css.jump}
          aria-label={`Go to the event at ${clockText(verdict.at)} s that ${verdict.kind === "broken" ? "broke" : "reached"} it`}
          onClick={() => goToEvent(verdict.seq)}
        >
          {clockText(verdict.at)}
        </button>
      )}
    </li>
  );
}

/** A sign that is told apart by its shape, and the word for it. */
export function signOf({ kind }: Pick<Verdict, "kind">): { readonly glyph: string; readonly word: string } {
  switch (kind) {
    case "holds":
      return { glyph: "✓", word: "Holds" };
    case "broken":
      return { glyph: "✕", word: "Broken" };
    case "reached":
      return { glyph: "◆", word: "Happened" };
    case "not-reached":
      return { glyph: "◇", word: "Not yet" };
    case "unobserved":
      return { glyph: "?", word: "Cannot be seen here" };
    default:
      return unreachable(kind);
  }
}
