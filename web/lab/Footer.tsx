// The foot of the lab: move, play, speed, place on the line, branches.
import { SPEEDS, type Pace } from "../state/preferences.ts";
import { setPace, setSpeed, useLab } from "../state/store.ts";
import { CommandButton } from "../parts/Button.tsx";
import { Branches } from "./Branches.tsx";
import { Comparison } from "./Comparison.tsx";
import { Scrubber } from "./Scrubber.tsx";
import { clockText, useHere } from "./useHere.ts";
import css from "./Footer.module.css";

/** Letters and points are narrower than the figure that the unit `ch` is the width of. */
const NARROWER = 0.88;

export function Footer() {
  const here = useHere();
  const playing = useLab((chosen) => chosen.playing);
  const presenter = useLab((chosen) => chosen.presenter);
  const { origin, run, end, nowMs } = here;
  // As wide as at the line's end, so that nothing shifts under a dragging hand.
  const total = run.events.length;
  const widest = `event ${total} of ${total} · ${clockText(origin.system.now(run.worlds.at(-1)))} s`.length;
  return (
    <footer className={css.footer}>
      <Comparison here={here} />
      <div className={css.controls}>
        <div className={css.moves} role="group" aria-label="Move">
          <CommandButton id="start" />
          <CommandButton id="back" />
          <CommandButton id="step" look="primary" />
          <CommandButton id="play" label={playing ? "Pause" : "Play"}>
            {playing ? "Pause" : "Play"}
          </CommandButton>
        </div>
        <Speed />
        <Scrubber here={here} />
        <output className={css.place} style={{ minWidth: `${widest * NARROWER}ch` }}>
          <span className={css.word}>event </span>
          {end} of {total} · {clockText(nowMs)} s
        </output>
      </div>
      {(!presenter || here.recording.branches.length > 1) && (
        <div className={css.branches}>
          <Branches here={here} />
          <p className={css.hint} aria-hidden="true">
            ← → step · space play · n next violation · ? keys
          </p>
        </div>
      )}
    </footer>
  );
}

function Speed() {
  const speed = useLab((chosen) => chosen.speed);
  const pace = useLab((chosen) => chosen.pace);
  return (
    <div className={css.speed} role="group" aria-label="Speed">
      <select
        aria-label="Pace"
        value={pace}
        onChange={(event) => setPace(event.target.value as Pace)}
        title="One event per tick, or as timed with quiet stretches folded"
      >
        <option value="event">one by one</option>
        <option value="timed">as timed</option>
      </select>
      <input
        type="range"
        aria-label="Speed"
        aria-valuetext={speedText(speed)}
        title="Speed ([ slower, ] faster)"
        min={0}
        max={SPEEDS.length - 1}
        step={1}
        value={SPEEDS.indexOf(speed)}
        onChange={(event) => setSpeed(SPEEDS[Number(event.target.value)] ?? 1)}
      />
      <span className={css.times}>{speedText(speed)}</span>
    </div>
  );
}

const speedText = (speed: number): string => (speed >= 1 ? `${speed}×` : `1/${1 / speed}×`);
