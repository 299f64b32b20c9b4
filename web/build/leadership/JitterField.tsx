// Jitter is a list of draws in the configuration; a seed fills it, and nothing is random afterwards.
import { useState } from "react";
import { Button } from "../../parts/Button.tsx";
import { drawsOf, listAt, numberOf } from "../draft.ts";
import { useForm } from "../Field.tsx";
import css from "../Build.module.css";

const DRAWS = 16;

export function JitterField({ path }: { readonly path: string }) {
  const { draft, set, problems } = useForm();
  const [seed, setSeed] = useState("1");
  const draws = listAt(draft, path);
  const own = problems.filter((problem) => problem.path.startsWith(path));
  return (
    <div className={css.wide}>
      <label className={css.label}>
        Jitter: draws from 0 to 1, used in turn; empty for none
        <input
          className={css.input}
          value={draws.map(String).join(", ")}
          onChange={(event) =>
            set(
              path,
              event.target.value
                .split(",")
                .map((text) => text.trim())
                .filter((text) => text !== "")
                .map(numberOf),
            )
          }
        />
      </label>
      <div className={css.inline}>
        <label className={css.inline}>
          Seed
          <input
            className={css.seed}
            inputMode="numeric"
            value={seed}
            onChange={(event) => setSeed(event.target.value)}
          />
        </label>
        <Button
          isSmall
          refusal={
            /^\d{1,9}$/.test(seed.trim()) ? null : "A seed is a whole number of up to nine digits, such as 7."
          }
          onClick={() => set(path, drawsOf(Number(seed), DRAWS))}
        >
          Draw {DRAWS} from the seed
        </Button>
        <Button isSmall look="quiet" onClick={() => set(path, [])}>
          No jitter
        </Button>
      </div>
      {own.map((problem) => (
        <p key={problem.path} className={css.problem}>
          {problem.path.slice(path.length)}: expected {problem.expected}, got {problem.got}. {problem.remedy}
        </p>
      ))}
    </div>
  );
}
