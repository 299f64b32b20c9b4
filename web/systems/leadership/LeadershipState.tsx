// The state of the leadership system at the cursor: the Lease, the nodes and the ledgers, with what the last step changed.
import { leaseYamlLines, type YamlLine } from "../../../shared/protocol/lease/yaml.ts";
import type { SinkState, LeadershipWorld, NodeState } from "../../../shared/systems/leadership/world.ts";
import { leaseOf } from "../../../shared/systems/leadership/world.ts";
import { enforcementTitle, leadershipConditions } from "../../../shared/systems/leadership/lanes.ts";
import { isFenced } from "../../../shared/protocol/sink/sink.ts";
import { isVersion, manifestLines, ServerLease, useRunHere } from "../../cluster/ServerLease.tsx";
import { Epoch } from "../../parts/Epoch.tsx";
import { Section } from "../../parts/Section.tsx";
import type { StatePanelProps } from "../view.ts";
import { nodeWords, seconds, type NodeWords } from "./words.ts";
import css from "./LeadershipState.module.css";

export function LeadershipState({ world, before }: StatePanelProps) {
  const now = world as LeadershipWorld;
  const then = before as LeadershipWorld;
  return (
    <>
      <LeaseSection now={now} then={then} />
      {now.sinks.length > 0 && <Ledgers now={now} then={then} />}
      <Nodes now={now} then={then} />
    </>
  );
}

interface Both {
  readonly now: LeadershipWorld;
  readonly then: LeadershipWorld;
}

/** Lines that never change and tell a reader nothing. */
const DULL: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata.uid", "metadata.name"]);
const NO_LINES: ReadonlySet<string> = new Set();

/** What a run does not know of its Lease on a server: its name there, and the lab's label. */
const SERVERS_OWN = /^metadata\.(name|namespace|creationTimestamp|labels.*)$/;

function LeaseSection({ now, then }: Both) {
  const lease = leaseOf(now);
  const old = leaseOf(then);
  const before = new Map(old === null ? [] : leaseYamlLines(old).map(({ path, text }) => [path, text]));
  // On a cluster run, the very object that the server has is shown as it has it.
  const run = useRunHere();
  const isServers = run !== null && lease !== null && isVersion(run.manifest, lease.resourceVersion);
  const lines = lease === null ? [] : isServers ? manifestLines(run.manifest) : leaseYamlLines(lease);
  const dull = run === null ? DULL : NO_LINES;
  return (
    <Section title={`Lease at ${seconds(now.now)}`}>
      {lease === null ? (
        <p className={css.none}>
          {old === null ? "It does not exist yet." : <mark>It has been deleted.</mark>}
        </p>
      ) : (
        // A focusable region: a long identity scrolls sideways, by keys as well.
        <pre className={css.yaml} tabIndex={0} aria-label="The Lease as YAML">
          {lines
            .filter(({ path }) => !dull.has(path))
            .map((line, index) => (
              <Line
                key={index}
                line={line}
                isChanged={!SERVERS_OWN.test(line.path) && before.get(line.path) !== line.text}
              />
            ))}
        </pre>
      )}
      {run !== null && <ServerLease run={run} isShown={isServers} />}
    </Section>
  );
}

function Line({ line, isChanged }: { readonly line: YamlLine; readonly isChanged: boolean }) {
  const [, head = "", value = ""] = /^(\s*[^\s].*?:)(?: (.*))?$/.exec(line.text) ?? [null, line.text];
  if (!isChanged || value === "") return <span className={css.line}>{`${line.text}\n`}</span>;
  return (
    <span className={css.line}>
      {`${head} `}
      <mark>{value}</mark>
      {"\n"}
    </span>
  );
}

function Ledgers({ now, then }: Both) {
  return (
    <Section title="Ledgers">
      <ul className={css.ledgers}>
        {now.sinks.map((sink, index) => (
          <Ledger
            key={sink.id}
            sink={sink}
            old={then.sinks[index]}
            title={enforcementTitle(now.config.sinks[index]?.enforcement ?? "none")}
          />
        ))}
      </ul>
    </Section>
  );
}

/** Writes shown of a ledger: the newest ones. */
const SHOWN = 8;

function Ledger({
  sink,
  old,
  title,
}: {
  readonly sink: SinkState;
  readonly old: SinkState | undefined;
  readonly title: string;
}) {
  const { applied, mark, enforcement } = sink.sink;
  const hidden = Math.max(0, applied.length - SHOWN);
  const known = old?.sink.applied.length ?? 0;
  // Stale: a newer leadership had written before it.
  const writes = applied.map((write, index) => ({
    ...write,
    isStale: applied.slice(0, index).some((earlier) => earlier.acquisition > write.acquisition),
  }));
  return (
    <li className={css.ledger}>
      <div className={css.ledgerHead}>
        <span>
          <b>{sink.id}</b> <span className={css.soft}>{title}</span>
        </span>
        {isFenced(enforcement) && (
          <span className={css.soft}>mark {mark === old?.sink.mark ? mark : <mark>{mark}</mark>}</span>
        )}
      </div>
      <div className={css.cells}>
        {hidden > 0 && <span className={css.soft}>{hidden} before …</span>}
        {writes.length === 0 && <span className={css.soft}>nothing written yet</span>}
        {writes.slice(hidden).map(({ value, acquisition, token, isStale }, index) => (
          <Epoch
            key={hidden + index}
            ordinal={acquisition}
            isNew={hidden + index >= known}
            isBad={isStale}
            title={`${value}, written under epoch ${token || "none"}${isStale ? ": stale, a newer leader had written" : ""}`}
          >
            {value}
          </Epoch>
        ))}
      </div>
      {sink.checked.length > 0 && (
        <p className={css.soft}>{sink.checked.length} checked and still to be applied</p>
      )}
    </li>
  );
}

function Nodes({ now, then }: Both) {
  const says = new Map(leadershipConditions(now).map(({ lane, says: text }) => [lane, text]));
  return (
    <Section title="Nodes">
      <ul className={css.nodes}>
        {now.nodes.map((node, index) => {
          const old = then.nodes[index];
          return (
            <NodeItem
              key={node.id}
              node={node}
              says={says.get(node.id) ?? ""}
              words={nodeWords(now, node)}
              before={old === undefined ? null : nodeWords(then, old)}
            />
          );
        })}
      </ul>
    </Section>
  );
}

function NodeItem({
  node,
  says,
  words,
  before,
}: {
  readonly node: NodeState;
  readonly says: string;
  readonly words: NodeWords;
  readonly before: NodeWords | null;
}) {
  const lines = [words.elector, words.work, words.bridge, words.clock, words.links];
  const old = [before?.elector, before?.work, before?.bridge, before?.clock, before?.links];
  return (
    <li className={css.node}>
      <div className={css.nodeHead}>
        <b>node {node.id}</b>
        <span className={css.soft}>{says}</span>
        {node.belief !== null && (
          <Epoch
            ordinal={node.belief.acquisition}
            title={`believes it leads, epoch ${node.belief.token || "none"}`}
          >
            {node.belief.token || "–"}
          </Epoch>
        )}
      </div>
      {lines.map((line, index) =>
        line === null ? null : (
          <p
            key={index}
            className={stripNumbers(line) === stripNumbers(old[index] ?? "") ? css.fact : css.changed}
          >
            {line}
          </p>
        ),
      )}
    </li>
  );
}

/** Times that only count on are no change. */
const stripNumbers = (text: string): string => text.replaceAll(/unchanged for [\d.]+ s/g, "");
