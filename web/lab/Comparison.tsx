// Two branches beside each other: where they first differ, in words, and the way there.
import { findBranch } from "../../shared/trace/recording.ts";
import type { Event } from "../../shared/systems/event.ts";
import { firstDifference, lineRun } from "../state/derive.ts";
import { chooseBranch, compareWith, goTo, useLab } from "../state/store.ts";
import { Button } from "../parts/Button.tsx";
import { clockText, type Seen } from "./useHere.ts";
import css from "./Comparison.module.css";

export function Comparison({ here }: { readonly here: Seen }) {
  const comparedWith = useLab((chosen) => chosen.comparedWith);
  const { recording, moment, origin, run } = here;
  const mine = findBranch(recording, moment.branch);
  const other = comparedWith === null ? undefined : findBranch(recording, comparedWith);
  if (mine === undefined || other === undefined || mine === other) return null;
  const difference = firstDifference(run, lineRun(origin, recording, other.id).run);
  const says = (event: Event | null): string =>
    event === null ? "has ended" : `${clockText(event.at)} s: ${origin.system.narrate(event)}`;
  const isSame = difference.left === null && difference.right === null;
  return (
    <section className={css.bar} aria-label="First difference">
      {isSame ? (
        <p className={css.text}>
          “{mine.name}” and “{other.name}” do not differ.
        </p>
      ) : (
        <p className={css.text}>
          <b>They first differ here.</b> “{mine.name}” {says(difference.left)}{" "}
          <span className={css.other}>
            “{other.name}” {says(difference.right)}
          </span>
        </p>
      )}
      {!isSame && (
        <Button isSmall onClick={() => goTo(difference.cursor)}>
          Go there
        </Button>
      )}
      <Button
        isSmall
        onClick={() => {
          chooseBranch(other.id);
          compareWith(mine.id);
        }}
      >
        Swap
      </Button>
      <Button isSmall look="quiet" onClick={() => compareWith(null)}>
        Stop comparing
      </Button>
    </section>
  );
}
