// Every act of the user once: name, keys and what it does. Buttons, keyboard, help and tests read this.
import { choicesAt, numbered } from "./choices.ts";
import {
  act,
  back,
  forkHere,
  hereOf,
  reset,
  select,
  setDialog,
  setPlaying,
  setPresenter,
  setSpeed,
  setView,
  step,
  toEnd,
  toStart,
  toViolation,
  undo,
  useLab,
  dismiss,
  type Chosen,
} from "./store.ts";
import { SPEEDS } from "./preferences.ts";

/** What a command may need of the page around the lab. */
export interface Services {
  readonly navigate: (path: string) => void;
  readonly copyLink: () => void;
  readonly openFile: () => void;
  readonly exportRecording: () => void;
}

export interface Command {
  readonly id: string;
  readonly label: string;
  /** As `KeyboardEvent.key`, with `Shift+` before it where shift does not change the character itself. */
  readonly keys: readonly string[];
  readonly group: "Move" | "Act" | "Look" | "Share";
  readonly perform: (services: Services) => void;
  /** Null when it can be done now; else why not. */
  readonly refusal: (chosen: Chosen) => string | null;
}

const always = (): null => null;

const list = [
  {
    id: "step",
    label: "Step",
    keys: ["ArrowRight", "j", "PageDown"],
    group: "Move",
    perform: () => void step(),
    refusal: always,
  },
  {
    id: "back",
    label: "Back",
    keys: ["ArrowLeft", "k", "PageUp"],
    group: "Move",
    perform: back,
    refusal: ({ moment }) => (moment.cursor === 0 ? "This is the start." : null),
  },
  {
    id: "play",
    label: "Play or pause",
    keys: [" ", "."],
    group: "Move",
    perform: () => setPlaying(!useLab.getState().playing),
    refusal: always,
  },
  {
    id: "start",
    label: "Start",
    keys: ["Home"],
    group: "Move",
    perform: toStart,
    refusal: ({ moment }) => (moment.cursor === 0 ? "This is the start." : null),
  },
  { id: "end", label: "End of the line", keys: ["End"], group: "Move", perform: toEnd, refusal: always },
  {
    id: "next-violation",
    label: "Next violation",
    keys: ["n", "Shift+ArrowRight"],
    group: "Move",
    perform: () => toViolation(1),
    refusal: always,
  },
  {
    id: "previous-violation",
    label: "Previous violation",
    keys: ["Shift+ArrowLeft"],
    group: "Move",
    perform: () => toViolation(-1),
    refusal: always,
  },
  {
    id: "slower",
    label: "Slower",
    keys: ["["],
    group: "Move",
    perform: () => changeSpeed(-1),
    refusal: ({ speed }) => (speed === SPEEDS[0] ? "It cannot go slower." : null),
  },
  {
    id: "faster",
    label: "Faster",
    keys: ["]"],
    group: "Move",
    perform: () => changeSpeed(1),
    refusal: ({ speed }) => (speed === SPEEDS.at(-1) ? "It cannot go faster." : null),
  },
  {
    id: "choose",
    label: "Choose what happens next",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    group: "Act",
    // Which of them is known to the key alone: see `chooseNumber`.
    perform: () => chooseNumber(1),
    refusal: always,
  },
  { id: "branch", label: "Branch here", keys: ["b"], group: "Act", perform: forkHere, refusal: always },
  {
    id: "undo",
    label: "Undo",
    keys: ["u"],
    group: "Act",
    perform: undo,
    refusal: ({ undoable }) => (undoable.length === 0 ? "Nothing to undo." : null),
  },
  { id: "reset", label: "Reset", keys: ["r"], group: "Act", perform: reset, refusal: always },
  {
    id: "table",
    label: "Picture or table",
    keys: ["t"],
    group: "Look",
    perform: () => setView(useLab.getState().view === "table" ? "picture" : "table"),
    refusal: always,
  },
  {
    id: "presenter",
    label: "Presenter mode",
    keys: ["p"],
    group: "Look",
    perform: () => setPresenter(!useLab.getState().presenter),
    refusal: always,
  },
  {
    id: "search",
    label: "Search the catalogue",
    keys: ["/"],
    group: "Look",
    perform: ({ navigate }) => navigate("/scenarios"),
    refusal: always,
  },
  {
    id: "help",
    label: "Keys and help",
    keys: ["?"],
    group: "Look",
    perform: () => setDialog("help"),
    refusal: always,
  },
  {
    id: "clear",
    label: "Let go",
    keys: ["Escape"],
    group: "Look",
    perform: () => {
      select(null);
      useLab.setState({ asking: null, comparedWith: null });
      dismiss();
    },
    refusal: always,
  },
  {
    id: "copy-link",
    label: "Copy link",
    keys: ["c"],
    group: "Share",
    perform: ({ copyLink }) => copyLink(),
    refusal: always,
  },
  {
    id: "open-file",
    label: "Open a recording file",
    keys: ["o"],
    group: "Share",
    perform: ({ openFile }) => openFile(),
    refusal: always,
  },
  {
    id: "export",
    label: "Export the recording",
    keys: ["x"],
    group: "Share",
    perform: ({ exportRecording }) => exportRecording(),
    refusal: always,
  },
] as const satisfies readonly Command[];

export type CommandId = (typeof list)[number]["id"];
export const commands: readonly (Command & { readonly id: CommandId })[] = list;

const byId = new Map<CommandId, Command>(commands.map((command) => [command.id, command]));

export function commandOf(id: CommandId): Command {
  const command = byId.get(id);
  if (command === undefined) throw new Error(`There is no command ${id}`);
  return command;
}

function changeSpeed(by: number): void {
  const { speed } = useLab.getState();
  const next = SPEEDS[SPEEDS.indexOf(speed) + by];
  if (next !== undefined) setSpeed(next);
}

/** Picks the n-th thing that could happen next, counted from 1. */
export function chooseNumber(number: number): void {
  const { origin, run, moment } = hereOf(useLab.getState());
  const choice = numbered(choicesAt(origin.system, run.worlds[moment.cursor]))[number - 1];
  if (choice !== undefined) act(choice.actions, choice.offer.label);
}

/** What a user reads on a key. */
export function keyName(key: string): string {
  const names: Readonly<Record<string, string>> = {
    " ": "Space",
    ArrowLeft: "←",
    ArrowRight: "→",
    "Shift+ArrowLeft": "Shift ←",
    "Shift+ArrowRight": "Shift →",
    Escape: "Esc",
    PageUp: "Page Up",
    PageDown: "Page Down",
  };
  return names[key] ?? key.toUpperCase();
}
