// Which part of a tall picture is on the screen, and keeping the cursor in it. When the cursor moves out of sight the picture
// scrolls at once; the new window is known before anything is drawn, so that one rendering is enough.
import { useEffect, useLayoutEffect, useState, type RefObject } from "react";
import { HEADER } from "./layout/metrics.ts";

export interface VisibleWindow {
  readonly y0: number;
  readonly y1: number;
}

/** Where the cursor is, in the picture's own pixels. A new object of other `run` or `cursor` means that it moved. */
export interface CursorPlace {
  readonly y: number;
  readonly run: unknown;
  readonly cursor: number;
}

/** Height of a step of the window, and what is kept ready above and below, in the picture's own pixels. */
const STEP = 120;
const AROUND = 160;
/** Scrolling by less than this is not worth a look. */
const NUDGE = 12;
/** Room kept between the cursor and the edges of the picture. */
const ABOVE = 60;
const BELOW = 56;

export function windowAt(scrollTop: number, height: number, scale: number): VisibleWindow {
  const top = scrollTop / scale;
  const bottom = (scrollTop + height) / scale;
  return {
    y0: Math.floor((top - AROUND) / STEP) * STEP,
    y1: Math.ceil((bottom + AROUND) / STEP) * STEP,
  };
}

/** Where to scroll to so that the cursor is seen; the same `scrollTop` when it is. */
export function followCursor(y: number, scrollTop: number, height: number, scale: number): number {
  const room = height - HEADER * scale;
  const at = y * scale - scrollTop;
  if (at >= ABOVE && at <= room - BELOW) return scrollTop;
  // Going down, what follows gets a third of the room; going up, what came before does.
  return Math.max(0, y * scale - room * (at > room - BELOW ? 0.68 : 0.32));
}

interface View {
  readonly top: number;
  readonly height: number;
  readonly place: CursorPlace | null;
  readonly scale: number;
  /** How often the cursor has taken the picture along. */
  readonly followed: number;
}

/**
 * The window of `scroller` that is to be rendered. `scale`: how much larger the picture is drawn than it was laid out.
 * A user who scrolls away stays there until the cursor moves.
 */
export function useVisibleWindow(
  scroller: RefObject<HTMLElement | null>,
  place: CursorPlace | null,
  scale: number,
): VisibleWindow {
  const [view, setView] = useState<View>({ top: 0, height: 900, place: null, scale, followed: 0 });
  const before = view.place;
  let current = view;
  if (
    place !== null &&
    (before === null || before.run !== place.run || before.cursor !== place.cursor || view.scale !== scale)
  ) {
    const top = followCursor(place.y, view.top, view.height, scale);
    current = { ...view, top, place, scale, followed: view.followed + (top === view.top ? 0 : 1) };
    setView(current);
  }
  const { top, followed } = current;
  useLayoutEffect(() => {
    if (followed > 0) scroller.current?.scrollTo({ top, behavior: "instant" });
    // oxlint-disable-next-line react/exhaustive-deps -- only when the cursor took the picture along; `top` also follows the user
  }, [scroller, followed]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void =>
      setView((seen) =>
        Math.abs(seen.top - element.scrollTop) < NUDGE && seen.height === element.clientHeight
          ? seen
          : { ...seen, top: element.scrollTop, height: element.clientHeight },
      );
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scroller]);
  const { y0, y1 } = windowAt(current.top, current.height, scale);
  // The same object while the window stays the same: what is drawn from it is kept.
  const [kept, setKept] = useState<VisibleWindow>({ y0, y1 });
  if (kept.y0 === y0 && kept.y1 === y1) return kept;
  const next = { y0, y1 };
  setKept(next);
  return next;
}
