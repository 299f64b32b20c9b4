// Keeps the cursor on the screen: when it moves out of sight the picture scrolls, at once and without animation.
import { useLayoutEffect, useRef, type RefObject } from "react";
import { HEADER } from "./layout/metrics.ts";
import type { AnyRun } from "./moments.ts";

/** Room kept between the cursor and the edges of the picture. */
const ABOVE = 60;
const BELOW = 56;

export interface CursorPlace {
  /** In the picture's own pixels, from the top of the body. */
  readonly y: number;
  readonly run: AnyRun;
  readonly cursor: number;
  readonly scale: number;
}

export function useCursorInView(scroller: RefObject<HTMLElement | null>, place: CursorPlace | null): void {
  const before = useRef<CursorPlace | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || place === null) return;
    const moved =
      before.current === null ||
      before.current.run !== place.run ||
      before.current.cursor !== place.cursor ||
      before.current.scale !== place.scale;
    before.current = place;
    // A user who scrolled away to look at something stays there until the cursor moves.
    if (!moved) return;
    const header = HEADER * place.scale;
    const y = place.y * place.scale + header;
    const top = element.scrollTop + header + ABOVE;
    const bottom = element.scrollTop + element.clientHeight - BELOW;
    if (y >= top && y <= bottom) return;
    const room = element.clientHeight - header;
    // Going down, what follows gets a third of the room; going up, what came before does.
    const part = y > bottom ? 0.68 : 0.32;
    element.scrollTop = Math.max(0, y - header - room * part);
  });
}
