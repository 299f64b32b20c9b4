// The frame of the lab: header, story, stage, inspector and foot, in as many columns as there is room for. It only places.
import { useEffect, type ReactNode } from "react";
import { listenForKeys } from "../state/keyboard.ts";
import { setPanel, setView, useLab, type Panel, type View } from "../state/store.ts";
import { useServices } from "../services.ts";
import { HiddenHeading } from "../parts/Hidden.tsx";
import { Tabs, type Tab } from "../parts/Tabs.tsx";
import { ClusterBanner } from "../cluster/ClusterBanner.tsx";
import { Announcer } from "./Announcer.tsx";
import { Faults } from "./Faults.tsx";
import { Figures } from "./Figures.tsx";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import { LabActions } from "./LabActions.tsx";
import { Next } from "./Next.tsx";
import { Stage } from "./Stage.tsx";
import { Story } from "./Story.tsx";
import { useHere } from "./useHere.ts";
import { useLayout, type Layout } from "./useLayout.ts";
import { Verdicts } from "./Verdicts.tsx";
import css from "./LabFrame.module.css";

/** On a narrow screen picture and table are panels like the others. */
type Shown = Panel | "table";

const PANELS: readonly Tab<Shown>[] = [
  { id: "picture", label: "Picture" },
  { id: "table", label: "Table" },
  { id: "story", label: "Story" },
  { id: "state", label: "State" },
  { id: "next", label: "Next" },
];

/** `banner`: what a shared session has to say, above everything. */
export function LabFrame({ banner }: { readonly banner: ReactNode }) {
  const services = useServices();
  const layout = useLayout();
  const here = useHere();
  const title = here.origin.title;
  const chosenPanel = useLab((chosen) => chosen.panel);
  const view = useLab((chosen) => chosen.view);
  useEffect(() => listenForKeys(window, services), [services]);
  useEffect(() => {
    document.title = `${title} · Epoch Lab`;
  }, [title]);
  return (
    <div className={css.frame} data-layout={layout}>
      <Header title={title} actions={<LabActions here={here} />} />
      {banner}
      <ClusterBanner />
      <main className={css.main}>
        {layout === "wide" ? (
          <>
            <Column name="Story">
              <Story />
            </Column>
            <Stage here={here} />
            <div className={css.inspector}>
              <Column name="State">
                <State />
              </Column>
              <Column name="Choices">
                <Choices />
              </Column>
            </div>
          </>
        ) : (
          <Panels
            panel={panelOf(layout, chosenPanel, view)}
            tabs={layout === "medium" ? PANELS.slice(2) : PANELS}
            title={title}
            stage={<Stage here={here} />}
            isBeside={layout === "medium"}
          />
        )}
      </main>
      <Footer />
      <Announcer here={here} />
    </div>
  );
}

/** One panel at a time; the stage beside it where there is room for two columns. */
function Panels({
  panel,
  tabs,
  title,
  stage,
  isBeside,
}: {
  readonly panel: Shown;
  readonly tabs: readonly Tab<Shown>[];
  readonly title: string;
  readonly stage: ReactNode;
  readonly isBeside: boolean;
}) {
  return (
    <>
      {/* The story has the page's heading; where it is not shown, the page still has one. */}
      {panel !== "story" && <HiddenHeading>{title}</HiddenHeading>}
      {isBeside && stage}
      <div className={css.tabbed}>
        <Tabs label="Panels" tabs={tabs} chosen={panel} onChoose={showPanel} panelId="lab-panel" isFull />
        <div
          id="lab-panel"
          role="tabpanel"
          aria-label={tabs.find(({ id }) => id === panel)?.label}
          className={css.panel}
        >
          {panel === "picture" || panel === "table" ? (
            stage
          ) : (
            <Column name="Panel">
              {panel === "story" ? <Story /> : panel === "state" ? <State /> : <Choices />}
            </Column>
          )}
        </div>
      </div>
    </>
  );
}

/** Where there is no room for a panel of its own, the picture stands beside the others. */
const panelOf = (layout: Layout, panel: Panel, view: View): Shown =>
  panel !== "picture" ? panel : layout === "medium" ? "story" : view;

function showPanel(panel: Shown): void {
  if (panel === "picture" || panel === "table") setView(panel);
  setPanel(panel === "table" ? "picture" : panel);
}

function Column({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    // Focusable, so that it scrolls by keys.
    <div className={css.column} role="region" aria-label={name} tabIndex={0} data-scrolls>
      {children}
    </div>
  );
}

function State() {
  const here = useHere();
  const { State: SystemState } = here.view;
  return (
    <>
      <Verdicts here={here} />
      <SystemState world={here.world} before={here.before} />
      <Figures here={here} />
    </>
  );
}

function Choices() {
  const here = useHere();
  return (
    <>
      <Next here={here} />
      <Faults here={here} />
    </>
  );
}
