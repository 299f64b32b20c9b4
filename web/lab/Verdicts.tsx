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
  // In front: what the scenario is about; in a run of one's own, what each sink promises and whatever was broken.
  const isChief = ({ invariant, kind }: Verdict): boolean =>
    origin.scenario === null
      ? kind === "broken" || invariant.startsWith("ordered:")
      : invariant in claimed || invariant.startsWith("ordered:");
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
        <Fold title={<Summary verdicts={others} />}>
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

/** How many of the others are in which state, the broken first. */
function Summary({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  const count = (kind: Verdict["kind"]): number => verdicts.filter((verdict) => verdict.kind === kind).length;
  const [broken, holding, reached, open] = [
    count("broken"),
    count("holds"),
    count("reached"),
    count("not-reached"),
  ];
  const words = [
    ...(holding > 0 ? [`${holding} ${holding === 1 ? "holds" : "hold"}`] : []),
    ...(reached > 0 ? [`${reached} happened`] : []),
    ...(open > 0 ? [`${open} not seen yet`] : []),
  ];
  return (
    <span className={css.more}>
      {broken > 0 && <b className={css.broken}>{broken} more broken</b>}
      {broken > 0 && words.length > 0 && ", "}
      {broken === 0 && "More: "}
      {words.join(", ")}
    </span>
  );
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
