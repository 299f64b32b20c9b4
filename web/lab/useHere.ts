// The moment that is looked at, and what the panels need to know of it.
import { useMemo } from "react";
import type { Event } from "../../shared/systems/event.ts";
import { stepBack } from "../state/derive.ts";
import { hereOf, useLab, type Here } from "../state/store.ts";
import { viewOf } from "../systems/registry.ts";
import type { SystemView } from "../systems/view.ts";

export interface Seen extends Here {
  readonly view: SystemView;
  readonly world: unknown;
  /** The world one step earlier. */
  readonly before: unknown;
  readonly nowMs: number;
  /** How many events have happened, and how many there were before the last step. */
  readonly end: number;
  readonly from: number;
}

export function useHere(): Seen {
  const recording = useLab((chosen) => chosen.recording);
  const moment = useLab((chosen) => chosen.moment);
  return useMemo(() => {
    const here = hereOf({ recording, moment });
    const { origin, run } = here;
    const back = stepBack(run, moment.cursor);
    const world = run.worlds[moment.cursor];
    return {
      ...here,
      view: viewOf(origin.system.id),
      world,
      before: run.worlds[back],
      nowMs: origin.system.now(world),
      end: run.eventEnds[moment.cursor] ?? 0,
      from: moment.cursor === 0 ? 0 : (run.eventEnds[back] ?? 0),
    };
  }, [recording, moment]);
}

/** `24.62`: seconds of virtual time as they stand beside an event. */
export const clockText = (ms: number): string => (ms / 1000).toFixed(2);

/** The events of the last step. */
export const lastStep = ({ run, from, end }: Seen): readonly Event[] => run.events.slice(from, end);
