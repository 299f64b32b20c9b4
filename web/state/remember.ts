// Puts what the browser remembers into the store at the start, keeps it when it changes, and dresses the page in it.
import { readPreferences, writePreferences } from "./preferences.ts";
import { useLab, type Chosen } from "./store.ts";

interface Page {
  readonly document: Pick<Document, "documentElement">;
  readonly localStorage: Storage;
}

/** A browser may forbid its storage altogether: then the very access throws. */
function storageOf(page: Page): Storage | null {
  try {
    return page.localStorage;
  } catch (error) {
    console.info("This browser keeps no preferences", error);
    return null;
  }
}

export function keepPreferences(page: Page): () => void {
  const storage = storageOf(page);
  useLab.setState(readPreferences(storage));
  dress(page.document.documentElement, useLab.getState());
  return useLab.subscribe((now, before) => {
    const { theme, pace, speed, answers } = now;
    if (
      theme !== before.theme ||
      pace !== before.pace ||
      speed !== before.speed ||
      answers !== before.answers
    )
      writePreferences(storage, { theme, pace, speed, answers });
    dress(page.document.documentElement, now);
  });
}

function dress(root: HTMLElement, { theme, presenter }: Pick<Chosen, "theme" | "presenter">): void {
  if (theme === "system") delete root.dataset["theme"];
  else if (root.dataset["theme"] !== theme) root.dataset["theme"] = theme;
  if (presenter) root.dataset["presenter"] = "";
  else delete root.dataset["presenter"];
}
