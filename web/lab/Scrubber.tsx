// The line of events as a slider: drag, click or keys. Ticks say where elections, faults and violations are.
import { useMemo, useRef } from "react";
import { violations } from "../state/derive.ts";
import { cursorAtFraction, ticksOf } from "../state/marks.ts";
import { back, goTo, setPlaying, step, toEnd, toStart } from "../state/store.ts";
import { clockText, type Seen } from "./useHere.ts";
import css from "./Scrubber.module.css";

/** Events that Page Up and Page Down jump over. */
const PAGE = 10;

export function Scrubber({ here }: { readonly here: Seen }) {
  const { origin, run, view, end, nowMs } = here;
  const total = run.events.length;
  const track = useRef<HTMLDivElement>(null);
  const ticks = useMemo(() => ticksOf(run, view.mark, violations(origin, run)), [origin, run, view]);
  const seek = (clientX: number): void => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    goTo(cursorAtFraction(run, (clientX - box.left) / box.width));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => void step(),
    ArrowUp: () => void step(),
    ArrowLeft: back,
    ArrowDown: back,
    Home: toStart,
    End: toEnd,
    PageUp: () => goTo(cursorAtFraction(run, (end + PAGE) / Math.max(1, total))),
    PageDown: () => goTo(cursorAtFraction(run, (end - PAGE) / Math.max(1, total))),
  };
  return (
    <div
      ref={track}
      className={css.track}
      role="slider"
      tabIndex={0}
      aria-label="Place on the line"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={end}
      aria-valuetext={`event ${end} of ${total}, ${clockText(nowMs)} s`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        setPlaying(false);
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event.clientX);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event.clientX);
      }}
      onKeyDown={(event) => {
        const move =
          event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ? undefined : keys[event.key];
        if (move === undefined) return;
        event.preventDefault();
        move();
      }}
    >
      <svg
        className={css.ticks}
        viewBox={`0 0 ${Math.max(1, total)} 30`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className={css.plain} d={strokes(ticks.events, 11, 19)} />
        <path className={css.fault} d={strokes(ticks.fault, 18, 27)} />
        <path className={css.election} d={strokes(ticks.election, 3, 12)} />
        <path className={css.violation} d={strokes(ticks.violation, 3, 27)} />
      </svg>
      <span className={css.thumb} style={{ left: `${(end / Math.max(1, total)) * 100}%` }} />
    </div>
  );
}

/** One path for all ticks of a kind, so that thousands cost one element. A tick stands where its event has just happened. */
const strokes = (seqs: readonly number[], from: number, to: number): string =>
  seqs.map((seq) => `M${seq + 1} ${from}V${to}`).join("");
