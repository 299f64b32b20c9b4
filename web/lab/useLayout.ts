// How much room there is: three columns, two, or one.
import { useSyncExternalStore } from "react";
import { useLab } from "../state/store.ts";

export type Layout = "wide" | "medium" | "narrow";

const WIDE = "(min-width: 75rem)";
const NARROW = "(max-width: 47.5rem)";

function subscribe(onChange: () => void): () => void {
  const queries = [window.matchMedia(WIDE), window.matchMedia(NARROW)];
  for (const query of queries) query.addEventListener("change", onChange);
  return () => {
    for (const query of queries) query.removeEventListener("change", onChange);
  };
}

const read = (): Layout =>
  window.matchMedia(WIDE).matches ? "wide" : window.matchMedia(NARROW).matches ? "narrow" : "medium";

/** In presenter mode everything is larger: three columns would leave the picture the least room. */
export function useLayout(): Layout {
  const layout = useSyncExternalStore(subscribe, read);
  const presenter = useLab((chosen) => chosen.presenter);
  return presenter && layout === "wide" ? "medium" : layout;
}
