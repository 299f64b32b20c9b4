// The event that is looked at: its sentence, its place, what led to it, and what it led to.
import { goToEvent, select, useLab } from "../state/store.ts";
import { Button } from "../parts/Button.tsx";
import { clockText, type Seen } from "./useHere.ts";
import css from "./SelectedEvent.module.css";

export function SelectedEvent({ here }: { readonly here: Seen }) {
  const selected = useLab((chosen) => chosen.selected);
  const asking = useLab((chosen) => chosen.asking);
  const { origin, run, end } = here;
  const event = selected === null ? undefined : run.events[selected];
  // What the last step brought stands in the list beside the picture.
  const isLast = event !== undefined && event.seq < end && event.seq >= here.from;
  if (event === undefined || asking !== null || isLast) return null;
  const cause = event.cause === null ? undefined : run.events[event.cause];
  const effects = run.events.slice(event.seq + 1, end).filter((other) => other.cause === event.seq);
  return (
    <aside className={css.card} aria-label="Selected event">
      <p className={css.text}>
        <span className={css.time}>{clockText(event.at)}</span> {origin.system.narrate(event)}
      </p>
      {cause !== undefined && (
        <p className={css.why}>
          Because:{" "}
          <button type="button" className={css.link} onClick={() => select(cause.seq)}>
            {clockText(cause.at)} {origin.system.narrate(cause)}
          </button>
        </p>
      )}
      {effects.slice(0, 2).map((effect) => (
        <p key={effect.seq} className={css.why}>
          Led to:{" "}
          <button type="button" className={css.link} onClick={() => select(effect.seq)}>
            {clockText(effect.at)} {origin.system.narrate(effect)}
          </button>
        </p>
      ))}
      <div className={css.buttons}>
        <span className={css.number}>
          Event {event.seq + 1}
          {event.localAt === null ? "" : ` · own clock ${clockText(event.localAt)} s`}
        </span>
        <Button isSmall onClick={() => goToEvent(event.seq)}>
          Go to this moment
        </Button>
        <Button isSmall look="quiet" onClick={() => select(null)}>
          Close
        </Button>
      </div>
    </aside>
  );
}
