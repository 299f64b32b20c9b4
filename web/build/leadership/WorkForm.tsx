// What a leader does: a loop of writes, a route with a bridge, or nothing.
import { MASTER_VARIANTS } from "../../../shared/systems/leadership/route.ts";
import { getAt } from "../draft.ts";
import { CheckField, NumberField, SelectField, TextField, useForm } from "../Field.tsx";
import { NEW_WORK, WORK_LABELS } from "./words.ts";
import css from "../Build.module.css";

const KINDS = ["loop", "route", "none"] as const;

export function WorkForm() {
  const { draft, set } = useForm();
  const kind = getAt(draft, "work.kind");
  const lock = getAt(draft, "lock");
  return (
    <section className={css.section} aria-labelledby="build-work">
      <h2 id="build-work" className={css.heading}>
        Guarded work
      </h2>
      <div className={css.grid}>
        <SelectField
          path="work.kind"
          label="What a leader does"
          options={KINDS.map((id) => ({ id, label: WORK_LABELS[id] }))}
          onChoose={(id) => {
            const chosen = KINDS.find((name) => name === id) ?? "none";
            set("work", NEW_WORK(String(lock))[chosen]);
          }}
        />
        {kind === "loop" && (
          <>
            <NumberField path="work.periodMs" label="One operation every" unit="ms" />
            <NumberField
              path="work.thinkMs"
              label="From “do I lead?” to the write"
              unit="ms"
              hint="The window in which a lease protects nothing."
            />
            <NumberField path="work.warmUpMs" label="Warm-up before the first" unit="ms" />
            <NumberField path="work.cleanupMs" label="Clean-up when cancelled" unit="ms" />
            <NumberField path="work.callTimeoutMs" label="Waits for an answer" unit="ms" />
            <NumberField path="work.operations" label="Operations per epoch" hint="0: no limit." />
            <CheckField path="work.claim" label="begins every epoch with a claim write" />
            <CheckField path="work.retry" label="sends an unanswered write again, same key" />
            <CheckField path="work.flush" label="ends its clean-up with one more write" />
          </>
        )}
        {kind === "route" && (
          <>
            <TextField path="work.uri" label="Consumer" hint="master:<lock>:timer:<name>?period=<ms>" />
            <SelectField
              path="work.variant"
              label="Master consumer"
              options={MASTER_VARIANTS.map((id) => ({ id, label: id }))}
            />
            <NumberField path="work.processMs" label="Works on an exchange for" unit="ms" />
            <NumberField path="work.callTimeoutMs" label="Waits for an answer" unit="ms" />
            <NumberField path="work.drainTimeoutMs" label="Drain timeout" unit="ms" />
            <NumberField path="work.lingerMs" label="Delegate ends after" unit="ms" />
            <NumberField path="work.burst" label="Envelopes at each tick" />
          </>
        )}
      </div>
    </section>
  );
}
