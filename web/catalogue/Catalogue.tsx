// All scenarios by section, each with its question and how it comes out; a search over all their words.
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import type { ExpectedVerdicts, Scenario } from "../../shared/scenario/scenario.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { scoreOf } from "../state/predictions.ts";
import { answerKey, useLab } from "../state/store.ts";
import { Header, HeaderLink } from "../lab/Header.tsx";
import { signOf } from "../lab/Verdicts.tsx";
import { Hidden } from "../parts/Hidden.tsx";
import { searchScenarios } from "./search.ts";
import css from "./Catalogue.module.css";

export function Catalogue() {
  const [words, setWords] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  const answers = useLab((chosen) => chosen.answers);
  const score = scoreOf(answers);
  useEffect(() => {
    document.title = "All scenarios · Epoch Lab";
    field.current?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target === field.current) return;
      if (event.key === "/") {
        event.preventDefault();
        field.current?.focus();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const found = useMemo(() => searchScenarios(scenarios, words), [words]);
  const sections = [...new Set(found.map((scenario) => scenario.section))];
  return (
    <div className={css.page}>
      <Header
        title="All scenarios"
        actions={
          <>
            <HeaderLink href="/">To the lab</HeaderLink>
            <HeaderLink href="/build">Build your own</HeaderLink>
          </>
        }
      />
      <main className={css.main}>
        <h1 className={css.title}>What could go wrong with a lease?</h1>
        <p className={css.lead}>
          Each scenario is a claim with a question, a run to step through, and verdicts that it ends in.
          {score.answered > 0 && ` You predicted ${score.right} of ${score.answered} right so far.`}
        </p>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = found;
            if (first !== undefined) navigate(`/?s=${first.id}`);
          }}
        >
          <input
            ref={field}
            type="search"
            className={css.search}
            aria-label="Search the scenarios"
            placeholder="Search: pause, clock, release, token …"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </form>
        <Hidden role="status">
          {found.length} of {scenarios.length} scenarios
        </Hidden>
        {found.length === 0 && (
          <p className={css.none}>
            No scenario has all of these words. Use fewer, or <Link href="/build">build your own</Link>.
          </p>
        )}
        {sections.map((section) => (
          <section key={section} className={css.section} aria-label={section}>
            <h2 className={css.heading}>{section}</h2>
            <ul className={css.cards}>
              {found
                .filter((scenario) => scenario.section === section)
                .map((scenario) => (
                  <Card
                    key={scenario.id}
                    scenario={scenario}
                    isPredicted={scenario.predictions.some(
                      (_, index) => answers[answerKey(scenario.id, index)] !== undefined,
                    )}
                  />
                ))}
            </ul>
          </section>
        ))}
      </main>
    </div>
  );
}

function Card({ scenario, isPredicted }: { readonly scenario: Scenario; readonly isPredicted: boolean }) {
  return (
    <li className={css.card}>
      <h3 className={css.name}>
        <Link href={`/?s=${scenario.id}`} className={css.open}>
          {scenario.title}
        </Link>
      </h3>
      <p className={css.question}>{scenario.question}</p>
      <Outcomes verdicts={scenario.verdicts} scenario={scenario} />
      {scenario.predictions.length > 0 && (
        <p className={css.predict}>{isPredicted ? "You have predicted here." : "Asks you to predict."}</p>
      )}
    </li>
  );
}

function Outcomes({
  verdicts,
  scenario,
}: {
  readonly verdicts: ExpectedVerdicts;
  readonly scenario: Scenario;
}) {
  const claims = useMemo(() => {
    const origin = resolveOrigin({ kind: "scenario", scenario: scenario.id });
    return new Map(origin.ok ? origin.value.invariants.map(({ id, claim }) => [id, claim]) : []);
  }, [scenario]);
  return (
    <ul className={css.outcomes} aria-label="How it comes out">
      {Object.entries(verdicts).map(([id, kind]) => {
        const { glyph, word } = signOf({ kind });
        return (
          <li key={id} className={css.outcome} data-kind={kind}>
            <span className={css.glyph} aria-hidden="true">
              {glyph}
            </span>
            <Hidden>{word}: </Hidden>
            {claims.get(id) ?? id}
          </li>
        );
      })}
    </ul>
  );
}
