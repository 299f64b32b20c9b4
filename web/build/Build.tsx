// Build your own: a form over a configuration, or its JSON; problems in their place; then it runs in the lab.
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { parseJson } from "../../shared/base/json.ts";
import { sentence, type Problem, type Result } from "../../shared/base/result.ts";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { leadership } from "../../shared/systems/leadership/system.ts";
import type { LeadershipConfig } from "../../shared/systems/leadership/config.ts";
import { leadershipFigures } from "../systems/leadership/figures.ts";
import { Header, HeaderLink } from "../lab/Header.tsx";
import { Button } from "../parts/Button.tsx";
import { Tabs } from "../parts/Tabs.tsx";
import { download, fileNameOf } from "../files/files.ts";
import { freshRecording, hereOf, show, useLab } from "../state/store.ts";
import { setAt, type Draft } from "./draft.ts";
import { FormContext, fieldId } from "./Field.tsx";
import { LeadershipForm } from "./leadership/LeadershipForm.tsx";
import css from "./Build.module.css";

type Mode = "form" | "json";
const TITLE_MAX = 120;

export function Build() {
  const [, navigate] = useLocation();
  const [start, setStart] = useState(() => {
    const { origin } = hereOf(useLab.getState());
    return { title: origin.title, config: origin.config };
  });
  const [title, setTitle] = useState(() => ownTitle(start.title));
  const [draft, setDraft] = useState<Draft>(start.config);
  const [mode, setMode] = useState<Mode>("form");
  const [text, setText] = useState("");
  useEffect(() => {
    document.title = "Build your own · Epoch Lab";
  }, []);

  const fromText = useMemo(
    () => (mode === "json" ? parseJson(text) : ({ ok: true, value: draft } as const)),
    [mode, text, draft],
  );
  const parsed: Result<LeadershipConfig> = useMemo(
    () => (fromText.ok ? leadership.parseConfig(fromText.value) : { ok: false, error: [fromText.error] }),
    [fromText],
  );
  // Words about mistakes follow a moment later than the typing.
  const shown = useDeferredValue(parsed);
  const problems = shown.ok ? [] : shown.error;
  const titleProblem =
    title.trim().length >= 1 && title.length <= TITLE_MAX
      ? null
      : `A title has 1 to ${TITLE_MAX} characters.`;
  const refusal =
    titleProblem ??
    (parsed.ok
      ? null
      : `${parsed.error.length === 1 ? "One value needs" : `${parsed.error.length} values need`} correction first.`);

  const startFrom = (id: string): void => {
    const scenario = scenarios.find((candidate) => candidate.id === id);
    if (scenario === undefined) return;
    setStart({ title: scenario.title, config: scenario.config });
    setTitle(ownTitle(scenario.title));
    setDraft(scenario.config);
    if (mode === "json") setText(pretty(scenario.config));
  };
  const choose = (next: Mode): void => {
    if (next === mode) return;
    if (next === "json") setText(pretty(draft));
    // The form takes over what the text says, however wrong; only what is no JSON at all stays in the text.
    else if (fromText.ok) setDraft(fromText.value);
    else return;
    setMode(next);
  };
  const run = (): void => {
    if (!parsed.ok) return;
    show(
      freshRecording({ kind: "config", system: "leadership", title: title.trim(), config: parsed.value }),
      null,
    );
    navigate("/");
  };
  return (
    <div className={css.page}>
      <Header
        title="Build your own"
        actions={
          <>
            <HeaderLink href="/">To the lab</HeaderLink>
            <HeaderLink href="/scenarios">All scenarios</HeaderLink>
          </>
        }
      />
      <main className={css.main}>
        <h1 className={css.title}>Build your own</h1>
        <form
          className={css.form}
          aria-label="Configuration"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <div className={css.grid}>
            <label className={css.label}>
              Start from
              <select
                className={css.input}
                value={scenarios.find(({ config }) => config === start.config)?.id ?? ""}
                onChange={(event) => startFrom(event.target.value)}
              >
                <option value="" disabled>
                  what the lab shows
                </option>
                {scenarios.map(({ id, title: name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className={css.label}>
              Title
              <input
                className={css.input}
                value={title}
                aria-invalid={titleProblem === null ? undefined : true}
                onChange={(event) => setTitle(event.target.value)}
              />
              {titleProblem !== null && <span className={css.problem}>{titleProblem}</span>}
            </label>
          </div>
          <Tabs
            label="How to edit"
            tabs={[
              { id: "form", label: "Form" },
              { id: "json", label: "JSON" },
            ]}
            chosen={mode}
            onChoose={choose}
            panelId="build-panel"
          />
          <div id="build-panel" role="tabpanel" aria-label={mode === "form" ? "Form" : "JSON"}>
            {mode === "form" ? (
              <FormContext
                value={{
                  draft,
                  problems,
                  set: (path, value) => setDraft((before: Draft) => setAt(before, path, value)),
                }}
              >
                <LeadershipForm />
              </FormContext>
            ) : (
              <label className={css.label}>
                The configuration; everything with a default may be left out
                <textarea
                  className={css.json}
                  spellCheck={false}
                  rows={32}
                  value={text}
                  aria-invalid={parsed.ok ? undefined : true}
                  onChange={(event) => setText(event.target.value)}
                />
              </label>
            )}
          </div>
        </form>
        <aside className={css.side} aria-label="Check and run">
          <Button look="primary" refusal={refusal} onClick={run}>
            Run it
          </Button>
          <Button
            onClick={() =>
              download(
                window,
                fileNameOf(title, "json"),
                new Blob(
                  [
                    `${pretty({ system: "leadership", title, config: fromText.ok ? fromText.value : draft })}\n`,
                  ],
                  {
                    type: "application/json",
                  },
                ),
              )
            }
          >
            Export for npm run play
          </Button>
          <div role="status">
            {problems.length === 0 ? (
              <p className={titleProblem === null ? css.fine : css.problem}>
                {titleProblem ?? "Everything fits."}
              </p>
            ) : (
              <Problems problems={problems} isForm={mode === "form"} />
            )}
          </div>
          {shown.ok && <Margins config={shown.value} />}
        </aside>
      </main>
    </div>
  );
}

function Problems({ problems, isForm }: { readonly problems: readonly Problem[]; readonly isForm: boolean }) {
  return (
    <>
      <h2 className={css.heading}>To be corrected</h2>
      <ul className={css.problems}>
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.expected}`}>
            {isForm && problem.path !== "" ? (
              <>
                <a href={`#${fieldId(problem.path)}`} onClick={(event) => focusField(event, problem.path)}>
                  {problem.path}
                </a>
                : expected {problem.expected}, got {problem.got}. {problem.remedy}
              </>
            ) : (
              sentence(problem)
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** To the field, opening what it is folded away in. */
function focusField(event: React.MouseEvent, path: string): void {
  event.preventDefault();
  const field = document.querySelector<HTMLElement>(`#${CSS.escape(fieldId(path))}`);
  const fold = field?.closest("details");
  if (fold !== null && fold !== undefined) fold.open = true;
  field?.focus();
}

function Margins({ config }: { readonly config: LeadershipConfig }) {
  const margins = leadershipFigures(config, [], 0).filter(({ label }) => label.startsWith("Safety margin"));
  return (
    <>
      <h2 className={css.heading}>What the timings leave</h2>
      {margins.map((figure) => (
        <div key={figure.label} className={css.margin}>
          <b>
            {figure.label}: <span data-tone={figure.tone}>{figure.value}</span>
          </b>
          <p>{figure.how}</p>
        </div>
      ))}
    </>
  );
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const ownTitle = (title: string): string =>
  title.startsWith("My ") ? title : `My ${ownWords(title.replace(/^(A|An|The) /, ""))}`;

const ownWords = (title: string): string => `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
