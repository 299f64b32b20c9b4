// The configuration of the leadership system as a form.
import { ENFORCEMENTS } from "../../../shared/protocol/sink/sink.ts";
import { TOKEN_SOURCES } from "../../../shared/protocol/token/token.ts";
import { SINKS_MAX, NODES_MAX } from "../../../shared/systems/leadership/config.ts";
import { enforcementTitle } from "../../../shared/systems/leadership/lanes.ts";
import { Button } from "../../parts/Button.tsx";
import { CheckField, DelayField, SelectField, TextField, useForm } from "../Field.tsx";
import { freeName, getAt, listAt, problemsAt, textAt } from "../draft.ts";
import { NodeForm } from "./NodeForm.tsx";
import { WorkForm } from "./WorkForm.tsx";
import { ENFORCEMENT_HINTS, NEW_NODE, TOKEN_HINTS, TOKEN_LABELS } from "./words.ts";
import css from "../Build.module.css";

export function LeadershipForm() {
  const { draft } = useForm();
  const token = getAt(draft, "token");
  return (
    <>
      <section className={css.section} aria-labelledby="build-lease">
        <h2 id="build-lease" className={css.heading}>
          Lease and token
        </h2>
        <div className={css.grid}>
          <TextField path="lock" label="Name of the Lease" />
          <SelectField
            path="token"
            label="Where the epoch comes from"
            options={TOKEN_SOURCES.map((id) => ({ id, label: TOKEN_LABELS[id] }))}
            hint={
              TOKEN_SOURCES.find((id) => id === token) === undefined
                ? ""
                : TOKEN_HINTS[token as keyof typeof TOKEN_HINTS]
            }
          />
        </div>
      </section>
      <Nodes />
      <Sinks />
      <section className={css.section} aria-labelledby="build-network">
        <h2 id="build-network" className={css.heading}>
          Network
        </h2>
        <p className={css.note}>
          One way. A message arrives at any moment between the two; by itself, at the first. Faults come
          later, by hand.
        </p>
        <div className={css.grid}>
          <DelayField path="network.leaseDelay" label="To the Lease API" />
          <DelayField path="network.sinkDelay" label="To the sinks" />
        </div>
      </section>
      <WorkForm />
    </>
  );
}

function Nodes() {
  const { draft, set, problems } = useForm();
  const nodes = listAt(draft, "nodes");
  const ids = nodes.map((_, index) => getAt(draft, `nodes[${index}].id`));
  const add = (): void =>
    set("nodes", [
      ...nodes,
      {
        ...NEW_NODE,
        // A further node is most often one more of the same.
        ...(typeof nodes.at(-1) === "object" ? (nodes.at(-1) as object) : {}),
        id: freeName(ids, [..."abcdefg"]),
        identity: null,
      },
    ]);
  return (
    <section className={css.section} aria-labelledby="build-nodes">
      <div className={css.sectionHead}>
        <h2 id="build-nodes" className={css.heading}>
          Nodes
        </h2>
        <Button
          isSmall
          refusal={nodes.length >= NODES_MAX ? `There can be ${NODES_MAX} nodes at most.` : null}
          onClick={add}
        >
          Add a node
        </Button>
      </div>
      <Own problems={problemsAt(problems, "nodes").filter(({ path }) => path === "nodes")} />
      {nodes.map((_, index) => (
        <NodeForm
          // Nodes have no identity of their own while they are edited but their place.
          key={index}
          index={index}
          onRemove={
            nodes.length > 1
              ? () =>
                  set(
                    "nodes",
                    nodes.filter((__, other) => other !== index),
                  )
              : null
          }
        />
      ))}
    </section>
  );
}

function Sinks() {
  const { draft, set, problems } = useForm();
  const sinks = listAt(draft, "sinks");
  const ids = sinks.map((_, index) => getAt(draft, `sinks[${index}].id`));
  const add = (): void =>
    set("sinks", [
      ...sinks,
      {
        id: freeName(ids, ["ledger", "fenced", "ledger-3", "ledger-4", "ledger-5", "ledger-6"]),
        enforcement: sinks.length === 0 ? "none" : "atomic",
        dedupe: false,
        act: { minMs: 50, maxMs: 50 },
        mark: "0",
      },
    ]);
  return (
    <section className={css.section} aria-labelledby="build-sinks">
      <div className={css.sectionHead}>
        <h2 id="build-sinks" className={css.heading}>
          Sinks
        </h2>
        <Button
          isSmall
          refusal={sinks.length >= SINKS_MAX ? `There can be ${SINKS_MAX} sinks at most.` : null}
          onClick={add}
        >
          Add a sink
        </Button>
      </div>
      <p className={css.note}>
        Every write goes to all of them, so that they can be compared on one schedule.
      </p>
      <Own problems={problems.filter(({ path }) => path === "sinks")} />
      {sinks.map((_, index) => {
        const at = `sinks[${index}]`;
        const enforcement = getAt(draft, `${at}.enforcement`);
        return (
          <fieldset key={index} className={css.card}>
            <legend className={css.legend}>{`Sink ${textAt(draft, `${at}.id`, String(index + 1))}`}</legend>
            <div className={css.grid}>
              <TextField path={`${at}.id`} label="Name" />
              <SelectField
                path={`${at}.enforcement`}
                label="How it decides on a write"
                options={ENFORCEMENTS.map((id) => ({ id, label: enforcementTitle(id) }))}
                hint={
                  ENFORCEMENTS.find((id) => id === enforcement) === undefined
                    ? ""
                    : ENFORCEMENT_HINTS[enforcement as keyof typeof ENFORCEMENT_HINTS]
                }
              />
              <TextField path={`${at}.mark`} label="Mark that it starts with" />
              <CheckField path={`${at}.dedupe`} label="applies each idempotency key once" />
              {enforcement === "check-then-act" && (
                <DelayField path={`${at}.act`} label="From check to act" />
              )}
            </div>
            <Button
              isSmall
              look="danger"
              onClick={() =>
                set(
                  "sinks",
                  sinks.filter((__, other) => other !== index),
                )
              }
            >
              Remove this sink
            </Button>
          </fieldset>
        );
      })}
    </section>
  );
}

function Own({ problems }: { readonly problems: ReturnType<typeof problemsAt> }) {
  return problems.map((problem) => (
    <p key={problem.expected} className={css.problem}>
      Expected {problem.expected}, got {problem.got}. {problem.remedy}
    </p>
  ));
}
