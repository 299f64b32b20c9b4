// One node of the leadership system.
import { ELECTOR_PROFILES } from "../../../shared/protocol/elector/elector.ts";
import { Button } from "../../parts/Button.tsx";
import { Fold } from "../../parts/Section.tsx";
import { getAt, problemsAt, textAt } from "../draft.ts";
import { CheckField, DelayField, NumberField, SelectField, TextField, useForm } from "../Field.tsx";
import { JitterField } from "./JitterField.tsx";
import { PROFILE_HINTS } from "./words.ts";
import css from "../Build.module.css";

/** Fields that stand under "More", as ends of their paths. */
const MORE = [
  "identity",
  "startMs",
  "clientTimeoutMs",
  "jitter",
  "clock",
  "leaseDelay",
  "sinkDelay",
  "producer",
];

export function NodeForm({
  index,
  onRemove,
}: {
  readonly index: number;
  readonly onRemove: (() => void) | null;
}) {
  const { draft, problems } = useForm();
  const at = `nodes[${index}]`;
  const profile = getAt(draft, `${at}.profile`);
  const isOurs = profile === "epoch-lab";
  const needsMore = MORE.some((field) => problemsAt(problems, `${at}.${field}`).length > 0);
  return (
    <fieldset className={css.card}>
      <legend className={css.legend}>{`Node ${textAt(draft, `${at}.id`, String(index + 1))}`}</legend>
      <div className={css.grid}>
        <TextField path={`${at}.id`} label="Name" />
        <SelectField
          path={`${at}.profile`}
          label="Elector"
          options={ELECTOR_PROFILES.map((id) => ({ id, label: id }))}
          hint={
            ELECTOR_PROFILES.find((id) => id === profile) === undefined
              ? ""
              : PROFILE_HINTS[profile as keyof typeof PROFILE_HINTS]
          }
        />
        {profile !== "noop" && (
          <>
            <NumberField path={`${at}.timings.leaseDurationMs`} label="Lease duration" unit="ms" />
            <NumberField path={`${at}.timings.renewDeadlineMs`} label="Renew deadline" unit="ms" />
            <NumberField path={`${at}.timings.retryPeriodMs`} label="Retry period" unit="ms" />
          </>
        )}
        {isOurs && (
          <>
            <NumberField path={`${at}.drainTimeoutMs`} label="Drain timeout" unit="ms" />
            <NumberField path={`${at}.clockRateBound`} label="Clock rates differ by at most" unit="×" />
          </>
        )}
      </div>
      <Fold title="More about this node" isOpen={needsMore}>
        <div className={css.grid}>
          <NumberField path={`${at}.startMs`} label="Its process starts at" unit="ms" />
          <TextField
            path={`${at}.identity`}
            label="Identity"
            isNullable
            placeholder="unique per process start"
            hint="The same text for two nodes, or for two lives of one, is a classic mistake."
          />
          <NumberField
            path={`${at}.clientTimeoutMs`}
            label="Client timeout"
            unit="ms"
            hint="A call to the Lease API without an answer fails then. 0: never."
          />
          <NumberField path={`${at}.clock.ratePermille`} label="Clock rate" unit="‰ of true time" />
          <NumberField path={`${at}.clock.offsetMs`} label="Wall clock ahead by" unit="ms" />
          <CheckField path={`${at}.release`} label="gives the Lease up when asked to stop" />
          {profile === "client-go" && <JitterField path={`${at}.jitter`} />}
          <OwnDelay
            path={`${at}.leaseDelay`}
            label="To the Lease API"
            what="its own delay to the Lease API"
          />
          <OwnDelay path={`${at}.sinkDelay`} label="To the sinks" what="its own delay to the sinks" />
          <Producer path={`${at}.producer`} />
        </div>
      </Fold>
      {onRemove !== null && (
        <Button isSmall look="danger" onClick={onRemove}>
          Remove this node
        </Button>
      )}
    </fieldset>
  );
}

function OwnDelay({
  path,
  label,
  what,
}: {
  readonly path: string;
  readonly label: string;
  readonly what: string;
}) {
  const { draft, set } = useForm();
  const value = getAt(draft, path);
  const isOwn = value !== null && value !== undefined;
  return (
    <div>
      <label className={css.toggle}>
        <input
          type="checkbox"
          checked={isOwn}
          onChange={(event) => set(path, event.target.checked ? { minMs: 20, maxMs: 20 } : null)}
        />{" "}
        {what}
      </label>
      <DelayField path={path} label={label} />
    </div>
  );
}

function Producer({ path }: { readonly path: string }) {
  const { draft, set } = useForm();
  const value = getAt(draft, path);
  const isOn = value !== null && value !== undefined;
  return (
    <div>
      <label className={css.toggle}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) =>
            set(path, event.target.checked ? { firstMs: 5000, periodMs: 5000, count: 1 } : null)
          }
        />{" "}
        an ungated producer, which writes whether it leads or not
      </label>
      {isOn && (
        <div className={css.grid}>
          <NumberField path={`${path}.firstMs`} label="First at" unit="ms" />
          <NumberField path={`${path}.periodMs`} label="Period" unit="ms" />
          <NumberField path={`${path}.count`} label="How often" />
        </div>
      )}
    </div>
  );
}
