// The middle: the run as a picture, or as a table of the same events, and the question that holds up a step.
import { useMemo } from "react";
import { verdictsOf } from "../state/derive.ts";
import { goToEvent, select, setView, useLab, type View } from "../state/store.ts";
import { Tabs, type Tab } from "../parts/Tabs.tsx";
import { Timeline, type VerdictMark } from "../timeline/Timeline.tsx";
import { EventTable } from "./EventTable.tsx";
import { PredictionCard } from "./Predictions.tsx";
import { SelectedEvent } from "./SelectedEvent.tsx";
import type { Seen } from "./useHere.ts";
import { useLayout } from "./useLayout.ts";
import css from "./Stage.module.css";

const VIEWS: readonly Tab<View>[] = [
  { id: "picture", label: "Picture" },
  { id: "table", label: "Table" },
];

export function Stage({ here }: { readonly here: Seen }) {
  const view = useLab((chosen) => chosen.view);
  const selected = useLab((chosen) => chosen.selected);
  const presenter = useLab((chosen) => chosen.presenter);
  const layout = useLayout();
  const { origin, run, moment } = here;
  const lanes = useMemo(() => origin.system.lanes(origin.config), [origin]);
  const marks = useMemo(
    () =>
      verdictsOf(origin, run).flatMap((verdict): readonly VerdictMark[] =>
        verdict.kind === "broken" ? [{ seq: verdict.seq, claim: verdict.claim }] : [],
      ),
    [origin, run],
  );
  return (
    <section className={css.stage} aria-label="Run">
      {layout !== "narrow" && (
        <div className={css.tabs}>
          <Tabs
            label="How to see the run"
            tabs={VIEWS}
            chosen={view}
            onChoose={setView}
            panelId="stage-panel"
          />
        </div>
      )}
      <div
        id="stage-panel"
        className={css.panel}
        {...(layout === "narrow"
          ? {}
          : { role: "tabpanel", "aria-label": view === "picture" ? "Picture" : "Table" })}
      >
        {view === "picture" ? (
          <Timeline
            system={origin.system}
            lanes={lanes}
            run={run}
            cursor={moment.cursor}
            selected={selected}
            onSelect={(seq) => (seq === null ? select(null) : lookAt(seq, here.end))}
            verdictMarks={marks}
            density={presenter ? "presenter" : layout === "narrow" ? "compact" : "comfortable"}
          />
        ) : (
          <EventTable here={here} />
        )}
      </div>
      <SelectedEvent here={here} />
      <PredictionCard here={here} />
    </section>
  );
}

/** An event that has happened is looked at where the cursor is; one ahead moves the cursor to it. */
function lookAt(seq: number, end: number): void {
  if (seq < end) select(seq);
  else goToEvent(seq);
}
