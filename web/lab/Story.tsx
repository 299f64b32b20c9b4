// The left column: the question, what to do, what happened so far, the prediction and the colours.
import { useEffect, useMemo, useRef } from "react";
import { sharedLength, verdictsOf } from "../state/derive.ts";
import { keyName } from "../state/commands.ts";
import { goToEvent, openingCursor, openScenario, useLab } from "../state/store.ts";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { isScriptUnderWay, useCluster } from "../cluster/store.ts";
import { Button } from "../parts/Button.tsx";
import { Section } from "../parts/Section.tsx";
import { Legend } from "./Legend.tsx";
import { Predictions } from "./Predictions.tsx";
import { clockText, useHere, type Seen } from "./useHere.ts";
import css from "./Story.module.css";

export function Story() {
  const here = useHere();
  const { origin } = here;
  const { scenario } = origin;
  return (
    <>
      <h1 className={css.question}>{scenario?.question ?? origin.title}</h1>
      <p className={css.story}>
        {scenario?.story ??
          "Your own configuration. Let things happen by themselves, choose what happens next, or break something."}
      </p>
      <Guide here={here} />
      <Narration here={here} />
      <Predictions here={here} />
      <Legend here={here} />
    </>
  );
}

/** One sentence that says what to do now. */
function Guide({ here }: { readonly here: Seen }) {
  const asking = useLab((chosen) => chosen.asking);
  const { origin, run, moment, recording } = here;
  const isUnderWay = useCluster(isScriptUnderWay(moment.branch));
  const { script } = origin;
  // The script as it was written, seen to its end: a branch that left it has an end of its own.
  const isScripted = useMemo(
    () => script.length > 0 && sharedLength(run.actions, script) === script.length,
    [run, script],
  );
  const isAtEnd = isScripted && moment.cursor >= script.length && !isUnderWay;
  if (asking !== null) return <p className={css.guide}>First say what you expect. Then the step shows.</p>;
  if (isAtEnd) return <Ending here={here} />;
  if (moment.cursor === openingCursor(recording) || here.end === 0)
    return (
      <p className={css.guide}>
        Press <b>Step</b> or <kbd>{keyName("ArrowRight")}</kbd> to let the next thing happen, and watch who
        believes that it leads.
      </p>
    );
  return null;
}

/** What the scenario comes to, once it has been seen to its end. */
function Ending({ here }: { readonly here: Seen }) {
  const { scenario } = here.origin;
  if (scenario === null) return null;
  const next = scenarios[scenarios.findIndex(({ id }) => id === scenario.id) + 1];
  return (
    <div className={css.ending}>
      <p>
        <b>What this shows.</b> {scenario.shows}
      </p>
      <p>
        <b>What it does not.</b> {scenario.doesNotShow}
      </p>
      {next !== undefined && (
        <Button isSmall onClick={() => openScenario(next.id)}>
          Next: {next.title}
        </Button>
      )}
    </div>
  );
}

/** Events shown before those of the last step. */
const SHOWN_BEFORE = 8;
/** How far back events are looked for that are worth showing. */
const LOOKED_AT = 120;

function Narration({ here }: { readonly here: Seen }) {
  const { origin, run, view, from, end } = here;
  const broken = useMemo(() => {
    const claims = new Map<number, string>();
    for (const verdict of verdictsOf(origin, run))
      if (verdict.kind === "broken") claims.set(verdict.seq, claims.get(verdict.seq) ?? verdict.claim);
    return claims;
  }, [origin, run]);
  const selected = useLab((chosen) => chosen.selected);
  const list = useRef<HTMLOListElement>(null);
  // What just happened stays in sight, however long the story above it is.
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [run, end]);
  const before = run.events
    .slice(Math.max(0, from - LOOKED_AT), from)
    .filter((event) => !view.isMinor(event) || broken.has(event.seq))
    .slice(-SHOWN_BEFORE);
  const shown = [...before, ...run.events.slice(from, end)];
  return (
    <Section title="What happened">
      {shown.length === 0 ? (
        <p className={css.nothing}>Nothing yet.</p>
      ) : (
        <ol ref={list} className={css.events}>
          {shown.map((event) => (
            <li
              key={event.seq}
              className={css.event}
              data-now={event.seq >= from || undefined}
              data-minor={view.isMinor(event) || undefined}
              data-bad={broken.has(event.seq) || undefined}
              data-selected={event.seq === selected || undefined}
              aria-current={event.seq >= from ? "step" : undefined}
            >
              <button type="button" className={css.go} onClick={() => goToEvent(event.seq)}>
                <time className={css.time}>{clockText(event.at)}</time>
                {origin.system.narrate(event)}
                {broken.has(event.seq) && (
                  <span className={css.breaks}> Broken: {broken.get(event.seq)}.</span>
                )}
              </button>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
