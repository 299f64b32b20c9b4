// Keys to commands. It never takes a combination that belongs to the browser, and leaves a focused control its own keys.
import { chooseNumber, commands, type Services } from "./commands.ts";
import { useLab } from "./store.ts";

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "defaultPrevented">;

/** The name under which a command lists a key; null when it belongs to somebody else. */
export function keyOf(press: Press): string | null {
  if (press.defaultPrevented || press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.key.length > 1 && press.shiftKey) return `Shift+${press.key}`;
  return press.key.length === 1 && press.key !== " " ? press.key.toLowerCase() : press.key;
}

/** What the focused control does with a key itself, as a selector of such controls. */
const OWNERS: Readonly<Record<string, string>> = {
  " ": "button, a[href], summary, [role=tab], [role=menuitem]",
  ArrowLeft: "[role=tablist], [role=slider], [role=menu], [role=radiogroup]",
  ArrowRight: "[role=tablist], [role=slider], [role=menu], [role=radiogroup]",
  Home: "[role=tablist], [role=slider], [role=menu]",
  End: "[role=tablist], [role=slider], [role=menu]",
  PageUp: "[data-scrolls]",
  PageDown: "[data-scrolls]",
};
const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]";

/** Whether a control that has the focus keeps the key for itself. */
export function isTaken(key: string, focused: Pick<Element, "closest"> | null): boolean {
  if (focused === null) return false;
  if (focused.closest(TYPING) !== null || focused.closest("dialog") !== null) return true;
  const owners = OWNERS[key];
  return owners !== undefined && focused.closest(owners) !== null;
}

/** Listens on the whole page while the lab is open. */
export function listenForKeys(page: Window, services: Services): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (key === null) return;
    if (isTaken(key, event.target instanceof Element ? event.target : null)) return;
    // While a question waits, the numbers answer it: its own card listens.
    if (/^[1-9]$/.test(key)) {
      if (useLab.getState().asking !== null) return;
      event.preventDefault();
      return chooseNumber(Number(key));
    }
    const command = commands.find(({ keys }) => (keys as readonly string[]).includes(key));
    if (command === undefined) return;
    event.preventDefault();
    const refusal = command.refusal(useLab.getState());
    if (refusal === null) command.perform(services);
  };
  page.addEventListener("keydown", onKey);
  return () => page.removeEventListener("keydown", onKey);
}
