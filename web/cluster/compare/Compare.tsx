// The same line in memory and on a real API server, side by side, with the bodies of every request and answer.
import { useMemo, useState } from "react";
import type { LeadershipAction } from "../../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../../shared/systems/leadership/config.ts";
import { isOfServer } from "../../../shared/systems/leadership/onServer.ts";
import { lineOf, type Branch } from "../../../shared/trace/recording.ts";
import { Header, HeaderLink } from "../../lab/Header.tsx";
import { clockText } from "../../lab/useHere.ts";
import { Button } from "../../parts/Button.tsx";
import { originOf } from "../../state/derive.ts";
import { useLab } from "../../state/store.ts";
import { openCluster, useRegisterLabel } from "../ClusterChip.tsx";
import { useCluster } from "../store.ts";
import { compareLine, markLines, type Call, type ComparedCall, type YamlObject } from "./compare.ts";
import css from "./Compare.module.css";

export function Compare() {
  const recording = useLab((chosen) => chosen.recording);
  const moment = useLab((chosen) => chosen.moment);
  const branches = recording.branches.filter(({ actions }) => isOfServer(actions));
  const [chosen, setChosen] = useState<string | null>(null);
  const branch =
    branches.find(({ id }) => id === chosen) ??
    branches.find(({ id }) => id === moment.branch) ??
    branches.at(-1);
  const origin = originOf(recording);
  const title = origin.ok ? origin.value.title : "";
  return (
    <div className={css.page}>
      <Header title={`${title}: memory and server`} actions={<HeaderLink href="/">To the lab</HeaderLink>} />
      <main className={css.main}>
        <h1 className={css.title}>The same run, in memory and on a real API server</h1>
        {branch === undefined || !origin.ok ? (
          <NothingYet />
        ) : (
          <>
            {branches.length > 1 && <Choice branches={branches} chosen={branch.id} onChoose={setChosen} />}
            <Table
              key={branch.id}
              config={origin.value.config as LeadershipConfig}
              actions={lineOf(recording, branch.id) as readonly LeadershipAction[]}
            />
          </>
        )}
      </main>
    </div>
  );
}

function NothingYet() {
  useRegisterLabel("");
  const server = useCluster((state) => state.server);
  const waiting = useCluster((state) => state.waiting);
  const isReady = server.kind === "on" && server.preflight.ready;
  return (
    <>
      <p className={css.lead}>
        {isReady
          ? "No branch of this recording has been on a server yet. Play it there now, and every request stands here beside what the model in memory says."
          : "No branch of this recording has been on a server yet, and this lab has no cluster that is ready."}
      </p>
      {isReady ? (
        <Button
          look="primary"
          refusal={waiting === null ? null : "It is on its way."}
          onClick={() =>
            void import("../run.ts").then(({ startClusterRun }) => startClusterRun(window, "replay"))
          }
        >
          Play it on the cluster
        </Button>
      ) : (
        <Button onClick={openCluster}>Where the Lease lives</Button>
      )}
    </>
  );
}

function Choice({
  branches,
  chosen,
  onChoose,
}: {
  readonly branches: readonly Branch[];
  readonly chosen: string;
  readonly onChoose: (branch: string) => void;
}) {
  return (
    <label className={css.choice}>
      Branch{" "}
      <select value={chosen} onChange={(event) => onChoose(event.target.value)}>
        {branches.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Table({
  config,
  actions,
}: {
  readonly config: LeadershipConfig;
  readonly actions: readonly LeadershipAction[];
}) {
  const exchanges = useCluster((state) => state.exchanges);
  const { calls, parted } = useMemo(
    () => compareLine(config, actions, exchanges),
    [config, actions, exchanges],
  );
  const differing = calls.filter(({ isSame }) => !isSame).length;
  const isWire = calls.every((call) => call.isWire);
  return (
    <>
      <p className={css.lead}>
        {calls.length} requests.{" "}
        {differing === 0 ? (
          <b className={css.good}>Model and server agree in every one.</b>
        ) : (
          <b className={css.bad}>
            {differing} {differing === 1 ? "differs" : "differ"}.
          </b>
        )}{" "}
        Left: the register in memory. Right: the API server,{" "}
        {isWire ? "as it went over the wire" : "as it was recorded"}. What each server has its own of, such as
        uid and resourceVersion, is grey; a difference that counts is marked.
      </p>
      {parted !== null && (
        <p className={css.parted}>
          From some point on the run in memory could not follow, because the server had answered otherwise:{" "}
          {parted}
        </p>
      )}
      <ol className={css.calls}>
        {calls.map((call) => (
          <li key={call.index}>
            <CallRow call={call} />
          </li>
        ))}
      </ol>
    </>
  );
}

function CallRow({ call }: { readonly call: ComparedCall }) {
  // Bodies are drawn when they are asked for: a long run has hundreds.
  const [isOpen, setOpen] = useState(!call.isSame);
  const { memory, server, isSame } = call;
  return (
    <details
      className={css.call}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-differs={!isSame || undefined}
    >
      <summary className={css.summary}>
        <span className={css.time}>{clockText(call.at)} s</span>
        <span className={css.what}>
          {call.node}: {call.purpose} <span className={css.soft}>{server.method}</span>
        </span>
        <span className={css.code}>
          <span className={css.soft}>memory</span> {codeText(memory)}
        </span>
        <span className={css.code}>
          <span className={css.soft}>server</span> {codeText(server)}{" "}
          <span className={css.soft}>{call.wallMs} ms</span>
        </span>
        <span className={css.verdict}>
          {isSame ? "✓ same" : memory === null ? "not in memory" : "✕ differs"}
        </span>
      </summary>
      {isOpen && (
        <div className={css.sides}>
          <Side title="In memory" call={memory} other={server} />
          <Side title="On the server" call={server} other={memory} />
        </div>
      )}
    </details>
  );
}

const codeText = (call: Call | null): string =>
  call === null ? "–" : call.code === null ? "no answer" : String(call.code);

function Side({
  title,
  call,
  other,
}: {
  readonly title: string;
  readonly call: Call | null;
  readonly other: Call | null;
}) {
  return (
    <section className={css.side} aria-label={title}>
      <h2 className={css.sideTitle}>{title}</h2>
      {call === null ? (
        <p className={css.soft}>The run in memory did not come to this request.</p>
      ) : (
        <>
          <p className={css.line}>
            {call.method} {call.path}
          </p>
          <Body what={`Request body, ${title}`} body={call.request} other={other?.request ?? null} />
          <p className={css.line}>{call.code === null ? "No answer came." : `Answer ${call.code}`}</p>
          <Body what={`Answer body, ${title}`} body={call.answer} other={other?.answer ?? null} />
        </>
      )}
    </section>
  );
}

function Body({
  what,
  body,
  other,
}: {
  readonly what: string;
  readonly body: YamlObject | null;
  readonly other: YamlObject | null;
}) {
  if (body === null) return <p className={css.soft}>no body</p>;
  return (
    <pre className={css.body} tabIndex={0} aria-label={what}>
      {markLines(body, other).map(({ text, mark }, index) =>
        mark === "other" ? (
          <mark key={index} className={css.other}>{`${text}\n`}</mark>
        ) : (
          <span key={index} data-mark={mark}>{`${text}\n`}</span>
        ),
      )}
    </pre>
  );
}
