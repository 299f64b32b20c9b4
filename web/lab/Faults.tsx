// The fault palette: everything that can go wrong, by what it is done to.
import { useId, useState } from "react";
import { sentence } from "../../shared/base/result.ts";
import { act } from "../state/store.ts";
import { Button } from "../parts/Button.tsx";
import { Fold, Section } from "../parts/Section.tsx";
import type { FaultForm } from "../systems/view.ts";
import type { Seen } from "./useHere.ts";
import css from "./Faults.module.css";

export function Faults({ here }: { readonly here: Seen }) {
  const forms = here.view.faults(here.world);
  const groups = [...new Set(forms.map((form) => form.group))];
  return (
    <Section title="Break something">
      {groups.map((group) => (
        <Fold key={group} title={group} isOpen={group === groups[0]}>
          <ul className={css.list}>
            {forms
              .filter((form) => form.group === group)
              .map((form) => (
                <li key={form.id}>
                  <Fault form={form} />
                </li>
              ))}
          </ul>
        </Fold>
      ))}
    </Section>
  );
}

function Fault({ form }: { readonly form: FaultForm }) {
  const { targets, options, fields, label, impossible } = form;
  const [target, setTarget] = useState("");
  const [option, setOption] = useState("");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const problemId = useId();
  // A target that is gone (a message that has arrived) falls back to the first that is there.
  const at = targets.find(({ id }) => id === target) ?? targets[0];
  const chosen = options.find(({ id }) => id === option) ?? options[0];
  const perform = (): void => {
    const filled = Object.fromEntries(fields.map(({ id, initial }) => [id, values[id] ?? initial]));
    const made = form.make({ target: at?.id ?? "", option: chosen?.id ?? "", fields: filled });
    if (!("kind" in made)) return setProblem(sentence(made));
    setProblem(null);
    act([made], [label.toLowerCase(), at?.label, chosen?.label].filter(Boolean).join(" "));
  };
  if (impossible !== null)
    return (
      <div className={css.impossible}>
        <span>{label}</span>
        <small>{impossible}</small>
      </div>
    );
  return (
    <form
      className={css.fault}
      onSubmit={(event) => {
        event.preventDefault();
        perform();
      }}
    >
      <Button type="submit" isSmall>
        {label}
      </Button>
      {targets.length > 1 && (
        <select
          aria-label={`${label}: what`}
          value={at?.id ?? ""}
          onChange={(event) => setTarget(event.target.value)}
        >
          {targets.map(({ id, label: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {targets.length === 1 && <span className={css.only}>{at?.label}</span>}
      {options.length > 0 && (
        <select
          aria-label={`${label}: how`}
          value={chosen?.id ?? ""}
          onChange={(event) => setOption(event.target.value)}
        >
          {options.map(({ id, label: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {fields.map((field) => (
        <label key={field.id} className={css.field}>
          <span>{field.label}</span>
          <input
            inputMode={field.kind === "number" ? "decimal" : "text"}
            aria-label={`${label}: ${field.label}${field.unit === "" ? "" : `, ${field.unit}`}`}
            aria-invalid={problem !== null || undefined}
            aria-describedby={problem === null ? undefined : problemId}
            data-kind={field.kind}
            value={values[field.id] ?? field.initial}
            onChange={(event) => setValues({ ...values, [field.id]: event.target.value })}
          />
          {field.unit !== "" && <span>{field.unit}</span>}
        </label>
      ))}
      {problem !== null && (
        <p id={problemId} className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
