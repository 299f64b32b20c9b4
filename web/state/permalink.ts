// The URL is the store, written down: scenario or configuration, branches, moment, and what is looked at.
//
//   /?s=paused-leader&at=31          a scenario's own line at a moment
//   /#p=<text>                       anything else: the recording itself, compressed
//   &view=table &with=b1 &presenter  in either, what the user looks at
import { encodePermalink, PERMALINK_TEXT_MAX, permalinkOf } from "../../shared/trace/permalink.ts";
import { findBranch, type Recording } from "../../shared/trace/recording.ts";
import { originOf, sharedLength } from "./derive.ts";
import { openPermalink, openScenarioLink } from "./opening.ts";
import { openingCursor, refuse, useLab, type Chosen, type View } from "./store.ts";

/** Whether a recording is a scenario exactly as scripted. */
export function isPristine(recording: Recording): boolean {
  const [main, ...others] = recording.branches;
  const origin = originOf(recording);
  if (recording.origin.kind !== "scenario" || main === undefined || others.length > 0 || !origin.ok)
    return false;
  const { script } = origin.value;
  return (
    main.name === "as scripted" &&
    main.actions.length === script.length &&
    sharedLength(main.actions, script) === script.length
  );
}

type Linked = Pick<Chosen, "recording" | "moment" | "view" | "comparedWith" | "presenter">;

/** The path, query and hash that show this again; null when the recording is too long for a link. */
export function urlOf(chosen: Linked): string | null {
  const { recording, moment, view, comparedWith, presenter } = chosen;
  const looks = [
    ...(view === "picture" ? [] : [`view=${view}`]),
    ...(comparedWith === null ? [] : [`with=${encodeURIComponent(comparedWith)}`]),
    ...(presenter ? ["presenter"] : []),
  ];
  if (recording.origin.kind === "scenario" && isPristine(recording)) {
    const at = moment.cursor === openingCursor(recording) ? [] : [`at=${moment.cursor}`];
    return `/?${[`s=${encodeURIComponent(recording.origin.scenario)}`, ...at, ...looks].join("&")}`;
  }
  const origin = originOf(recording);
  const text = encodePermalink(permalinkOf(recording, moment, origin.ok ? origin.value.script : []));
  return text.length > PERMALINK_TEXT_MAX ? null : `/#${[`p=${text}`, ...looks].join("&")}`;
}

/** Opens what a URL says. False when it says nothing, so that the lab stays as it is; a bad one is refused in words. */
export function openUrl({ search, hash }: { readonly search: string; readonly hash: string }): boolean {
  const query = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) query.set(name, value);
  const text = query.get("p");
  const scenario = query.get("s");
  if (text === null && scenario === null) return false;
  const opened = text !== null ? openPermalink(text) : openScenario(scenario ?? "", query.get("at"));
  if (!opened) return true;
  const compared = query.get("with");
  const { recording } = useLab.getState();
  useLab.setState({
    view: (query.get("view") === "table" ? "table" : "picture") satisfies View,
    comparedWith: compared !== null && findBranch(recording, compared) !== undefined ? compared : null,
    presenter: query.has("presenter"),
  });
  return true;
}

function openScenario(scenario: string, at: string | null): boolean {
  if (at === null || /^\d{1,6}$/.test(at)) return openScenarioLink(scenario, at === null ? null : Number(at));
  refuse({
    what: "This link",
    problems: [
      {
        path: "at",
        expected: "a whole number of actions",
        got: JSON.stringify(at),
        remedy: "Copy the whole link again, or leave it out.",
      },
    ],
    replay: null,
    salvage: null,
  });
  return false;
}

const MOVES = ["popstate", "pushState"] as const;

/** How long the URL waits for the cursor to rest: browsers bear a hundred changes in ten seconds, and no frame pays for it. */
const REST_MS = 300;

interface Page {
  readonly location: Pick<Location, "pathname" | "search" | "hash">;
  readonly history: Pick<History, "pushState" | "replaceState" | "state">;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/**
 * Keeps URL and store alike while the lab's page is open. A new recording or another branch is a new entry of the
 * browser's history; a moved cursor replaces the present one.
 */
export function keepUrl(page: Page): () => void {
  let timer = 0;
  const current = (): string => `${page.location.pathname}${page.location.search}${page.location.hash}`;
  const write = (how: "pushState" | "replaceState"): void => {
    page.clearTimeout(timer);
    if (page.location.pathname !== "/") return;
    const url = urlOf(useLab.getState()) ?? "/";
    if (url !== current()) page.history[how](null, "", url);
  };
  // Coming back from another page of the lab to the same moment keeps what can be undone.
  if (current() !== urlOf(useLab.getState())) openUrl(page.location);
  write("replaceState");
  let reading = false;
  const stop = useLab.subscribe((now, before) => {
    if (reading) return;
    const isElsewhere =
      now.recording.origin !== before.recording.origin || now.moment.branch !== before.moment.branch;
    if (isElsewhere) return write("pushState");
    if (
      now.recording !== before.recording ||
      now.moment !== before.moment ||
      now.view !== before.view ||
      now.comparedWith !== before.comparedWith ||
      now.presenter !== before.presenter
    ) {
      page.clearTimeout(timer);
      timer = page.setTimeout(() => write("replaceState"), REST_MS);
    }
  });
  const onBack = (): void => {
    if (page.location.pathname !== "/" || current() === urlOf(useLab.getState())) return;
    page.clearTimeout(timer);
    reading = true;
    const isSaid = openUrl(page.location);
    reading = false;
    if (!isSaid) write("replaceState");
  };
  // The router announces links that were followed under the name of the call that it made.
  for (const type of MOVES) page.addEventListener(type, onBack);
  return () => {
    page.clearTimeout(timer);
    stop();
    for (const type of MOVES) page.removeEventListener(type, onBack);
  };
}
