// Tells a screen reader what a step brought, in the same sentences as the list.
import { lastStep, clockText, type Seen } from "./useHere.ts";
import { Hidden } from "../parts/Hidden.tsx";

export function Announcer({ here }: { readonly here: Seen }) {
  const { origin, run, end } = here;
  const events = lastStep(here);
  const words =
    events.length === 0
      ? "Start: nothing has happened yet."
      : `${clockText(here.nowMs)} seconds. ${events.map((event) => origin.system.narrate(event)).join(" ")}`;
  return (
    <Hidden role="status" aria-label="What just happened">
      {words} Event {end} of {run.events.length}.
    </Hidden>
  );
}
