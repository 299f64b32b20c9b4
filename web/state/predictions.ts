// What became of the user's predictions.
import { scenarios } from "../../shared/scenario/catalogue.ts";
import type { Prediction } from "../../shared/scenario/scenario.ts";
import type { Here } from "./store.ts";
import { answerKey } from "./store.ts";
import { questions } from "./derive.ts";
import type { Answer } from "./preferences.ts";

export interface Score {
  readonly right: number;
  readonly answered: number;
  readonly skipped: number;
}

/** Over all scenarios. Answers to questions that the catalogue no longer has do not count. */
export function scoreOf(answers: Readonly<Record<string, Answer>>): Score {
  let right = 0;
  let answered = 0;
  let skipped = 0;
  for (const scenario of scenarios)
    for (const [index, prediction] of scenario.predictions.entries()) {
      const given = answers[answerKey(scenario.id, index)];
      if (given === undefined) continue;
      if (given.choice === null) skipped += 1;
      else answered += 1;
      if (given.choice === prediction.answer) right += 1;
    }
  return { right, answered, skipped };
}

/** An answer of this scenario beside what it was about. */
export interface Answered {
  readonly index: number;
  readonly prediction: Prediction;
  readonly choice: number | null;
  /** Whether the event has been seen on this line at the cursor. */
  readonly isShown: boolean;
}

export function answeredHere(here: Here, answers: Readonly<Record<string, Answer>>): readonly Answered[] {
  const { origin, run, moment } = here;
  const { scenario } = origin;
  if (scenario === null) return [];
  const end = run.eventEnds[moment.cursor] ?? 0;
  return questions(origin, run).flatMap(({ index, prediction, seq }) => {
    const given = answers[answerKey(scenario.id, index)];
    return given === undefined ? [] : [{ index, prediction, choice: given.choice, isShown: seq < end }];
  });
}
