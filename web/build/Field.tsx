// One field of a form over a draft: label, control, unit, and what is wrong with its value, in its place.
import { createContext, useContext, useId, type ReactNode } from "react";
import { present } from "../../shared/base/assert.ts";
import type { Problem } from "../../shared/base/result.ts";
import { getAt, numberOf, type Draft } from "./draft.ts";
import css from "./Field.module.css";

export interface Form {
  readonly draft: Draft;
  readonly problems: readonly Problem[];
  set(path: string, value: unknown): void;
}

export const FormContext = createContext<Form | null>(null);
export const useForm = (): Form => present(useContext(FormContext), "a field stands in a form");

interface FieldProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
}

/** Where a problem's link leads. */
export const fieldId = (path: string): string => `field-${path.replaceAll(/[^\w]+/g, "-")}`;

function Row({
  path,
  label,
  hint,
  children,
}: FieldProps & {
  readonly children: (ids: {
    readonly id: string;
    readonly "aria-invalid": true | undefined;
    readonly "aria-describedby": string | undefined;
  }) => ReactNode;
}) {
  const { problems } = useForm();
  const note = useId();
  const own = problems.filter((problem) => problem.path === path);
  const id = fieldId(path);
  return (
    <div className={css.field} data-bad={own.length > 0 || undefined}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": own.length > 0 ? true : undefined,
        "aria-describedby": own.length > 0 || hint !== undefined ? note : undefined,
      })}
      <div id={note} className={css.note}>
        {own.length > 0
          ? own.map((problem) => (
              <p key={problem.expected} className={css.problem}>
                Expected {problem.expected}, got {problem.got}. {problem.remedy}
              </p>
            ))
          : hint}
      </div>
    </div>
  );
}

export function NumberField({ unit, ...row }: FieldProps & { readonly unit?: string }) {
  const { draft, set } = useForm();
  const value = getAt(draft, row.path);
  return (
    <Row {...row}>
      {(ids) => (
        <span className={css.control}>
          <input
            {...ids}
            inputMode="decimal"
            className={css.number}
            value={typeof value === "number" || typeof value === "string" ? value : ""}
            onChange={(event) => set(row.path, numberOf(event.target.value))}
          />
          {unit !== undefined && <span className={css.unit}>{unit}</span>}
        </span>
      )}
    </Row>
  );
}

/** `isNullable`: an empty field means none. */
export function TextField({
  isNullable = false,
  placeholder,
  ...row
}: FieldProps & { readonly isNullable?: boolean; readonly placeholder?: string }) {
  const { draft, set } = useForm();
  const value = getAt(draft, row.path);
  return (
    <Row {...row}>
      {(ids) => (
        <input
          {...ids}
          className={css.text}
          placeholder={placeholder}
          value={typeof value === "string" || typeof value === "number" ? value : ""}
          onChange={(event) =>
            set(row.path, isNullable && event.target.value === "" ? null : event.target.value)
          }
        />
      )}
    </Row>
  );
}

export function SelectField({
  options,
  onChoose,
  ...row
}: FieldProps & {
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly onChoose?: (id: string) => void;
}) {
  const { draft, set } = useForm();
  const value = getAt(draft, row.path);
  return (
    <Row {...row}>
      {(ids) => (
        <select
          {...ids}
          className={css.select}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => (onChoose ?? ((id: string) => set(row.path, id)))(event.target.value)}
        >
          {options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Row>
  );
}

export function CheckField({ path, label, hint }: FieldProps) {
  const { draft, set } = useForm();
  const id = fieldId(path);
  const note = useId();
  return (
    <div className={css.check}>
      <label htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : note}
          checked={getAt(draft, path) === true}
          onChange={(event) => set(path, event.target.checked)}
        />{" "}
        {label}
      </label>
      {hint !== undefined && (
        <div id={note} className={css.note}>
          {hint}
        </div>
      )}
    </div>
  );
}

/** Two numbers of one delay; null where a node goes by the network's. */
export function DelayField({ path, label, hint }: FieldProps) {
  const { draft, problems } = useForm();
  const value = getAt(draft, path);
  const whole = problems.filter((problem) => problem.path === path);
  return (
    <div className={css.delay} data-bad={whole.length > 0 || undefined}>
      {value === null || value === undefined ? null : (
        <>
          <NumberField path={`${path}.minMs`} label={`${label}, at least`} unit="ms" />
          <NumberField path={`${path}.maxMs`} label="at most" unit="ms" />
        </>
      )}
      {hint !== undefined && <div className={css.note}>{hint}</div>}
      {whole.map((problem) => (
        <p key={problem.expected} className={css.problem}>
          Expected {problem.expected}, got {problem.got}. {problem.remedy}
        </p>
      ))}
    </div>
  );
}
