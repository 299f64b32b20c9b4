// Predict, lock, step, compare: the card that asks, and what became of the answers.
import { useEffect, useRef, useState } from "react";
import { present } from "../../shared/base/assert.ts";
import { answeredHere, scoreOf, type Answered } from "../state/predictions.ts";
import { answer, forgetAnswers, useLab } from "../state/store.ts";
import { Button } from "../parts/Button.tsx";
import { Section } from "../parts/Section.tsx";
import type { Seen } from "./useHere.ts";
import css from "./Predictions.module.css";

export function Predictions({ here }: { readonly here: Seen }) {
  const answers = useLab((chosen) => chosen.answers);
  const answered = answeredHere(here, answers);
  const { scenario } = here.origin;
  if (scenario === null || answered.length === 0) return null;
  const score = scoreOf(answers);
  return (
    <Section title={answered.length === 1 ? "Your prediction" : "Your predictions"}>
      {answered.map((item) => (
        <Outcome key={item.index} item={item} />
      ))}
      <p className={css.score}>
        {score.answered > 0 && `${score.right} of ${score.answered} right so far, over all scenarios. `}
        <button type="button" className={css.again} onClick={() => forgetAnswers(scenario.id)}>
          Ask me again
        </button>
      </p>
    </Section>
  );
}

function Outcome({ item }: { readonly item: Answered }) {
  const { prediction, choice, isShown } = item;
  const said = choice === null ? null : prediction.options[choice];
  const isRight = choice === prediction.answer;
  return (
    <div className={css.outcome} data-right={isShown && choice !== null ? isRight : undefined}>
      <p>
        {said === null ? (
          "Skipped."
        ) : (
          <>
            “{said}” <span className={css.soft}>Locked.</span>
          </>
        )}{" "}
        {isShown && choice !== null && <b>{isRight ? "You were right." : "It went otherwise."}</b>}
      </p>
      {isShown && (
        <p>
          {!isRight && <>“{prediction.options[prediction.answer]}” </>}
          {prediction.because}
        </p>
      )}
    </div>
  );
}

/** The question that holds up the step. It stands over the picture, and takes the number keys while it does. */
export function PredictionCard({ here }: { readonly here: Seen }) {
  const asking = useLab((chosen) => chosen.asking);
  const prediction = asking === null ? undefined : here.origin.scenario?.predictions[asking];
  if (asking === null || prediction === undefined) return null;
  return <Question key={asking} index={asking} question={prediction.question} options={prediction.options} />;
}

function Question({
  index,
  question,
  options,
}: {
  readonly index: number;
  readonly question: string;
  readonly options: readonly string[];
}) {
  const [choice, setChoice] = useState<number | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector<HTMLElement>("input")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <form
      ref={form}
      className={css.card}
      aria-label="Predict"
      onSubmit={(event) => {
        event.preventDefault();
        if (choice !== null) answer(index, choice);
      }}
      onKeyDown={(event) => {
        const number = Number(event.key);
        if (!(number >= 1 && number <= options.length)) return;
        event.preventDefault();
        setChoice(number - 1);
        present(form.current, "the card is on the page while its keys are pressed")
          .querySelectorAll<HTMLElement>("input")
          [number - 1]?.focus();
      }}
    >
      <fieldset className={css.options}>
        <legend className={css.question}>{question}</legend>
        {options.map((option, number) => (
          <label key={option} className={css.option} data-chosen={choice === number || undefined}>
            <input
              type="radio"
              name="prediction"
              checked={choice === number}
              onChange={() => setChoice(number)}
            />
            <span>{option}</span>
            <kbd className={css.key}>{number + 1}</kbd>
          </label>
        ))}
      </fieldset>
      <div className={css.buttons}>
        <Button
          type="submit"
          look="primary"
          refusal={choice === null ? "Choose an answer first, or skip the question." : null}
        >
          Lock and step
        </Button>
        <Button look="quiet" onClick={() => answer(index, null)}>
          Skip
        </Button>
      </div>
    </form>
  );
}
