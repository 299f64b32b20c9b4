// Which part of a tall picture is on the screen, and keeping the cursor in it. When the cursor moves out of sight the picture
// scrolls at once; the new window is known before anything is drawn, so that one rendering is enough.
import { useLayoutEffect, useState, type RefObject } from "react";
import { GUTTER, HEADER } from "./layout/metrics.ts";

export interface VisibleWindow {
  readonly y0: number;
  readonly y1: number;
}

/** Where the cursor is, in the picture's own pixels. A new object of other `run` or `cursor` means that it moved. */
export interface CursorPlace {
  readonly y: number;
  /** What happened last reaches from here to there across the lanes. */
  readonly x0: number;
  readonly x1: number;
  readonly run: unknown;
  readonly cursor: number;
  /** Width of the picture: with another one everything stands elsewhere. */
  readonly width: number;
}

/** Height of a step of the window, and what is kept ready above and below, in the picture's own pixels. */
const STEP = 120;
const AROUND = 160;
/** Scrolling by less than this is not worth a look. */
const NUDGE = 12;
/** Room kept between the cursor and the edges of the picture. */
const ABOVE = 60;
const BELOW = 56;
const BESIDE = 48;

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

/** How far to scroll across so that `x0` … `x1` is seen, or as much of it as there is room for, its end first. */
export function followAcross(
  place: Pick<CursorPlace, "x0" | "x1">,
  scrollLeft: number,
  width: number,
  scale: number,
): number {
  const gutter = GUTTER * scale;
  const low = Math.min(place.x0, place.x1) * scale - BESIDE - gutter;
  const high = Math.max(place.x0, place.x1) * scale + BESIDE - width;
  if (low >= scrollLeft && high <= scrollLeft) return scrollLeft;
  // Both ends fit: move as little as possible.
  if (high <= low) return Math.max(0, scrollLeft > low ? low : high);
  return Math.max(0, place.x1 * scale - (width + gutter) / 2);
}

interface View {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
  readonly place: CursorPlace | null;
  readonly scale: number;
  /** How often the cursor has taken the picture along. */
  readonly followed: number;
}

const START: View = { top: 0, left: 0, height: 900, width: 10_000, place: null, scale: 1, followed: 0 };

/**
 * The window of `scroller` that is to be rendered. `scale`: how much larger the picture is drawn than it was laid out.
 * A user who scrolls away stays there until the cursor moves.
 */
export function useVisibleWindow(
  scroller: RefObject<HTMLElement | null>,
  place: CursorPlace | null,
  scale: number,
): VisibleWindow {
  const [view, setView] = useState<View>(START);
  const before = view.place;
  let current = view;
  if (
    place !== null &&
    (before === null ||
      before.run !== place.run ||
      before.cursor !== place.cursor ||
      before.width !== place.width ||
      view.scale !== scale)
  ) {
    const top = followCursor(place.y, view.top, view.height, scale);
    const left = followAcross(place, view.left, view.width, scale);
    const moved = top !== view.top || left !== view.left;
    current = { ...view, top, left, place, scale, followed: view.followed + (moved ? 1 : 0) };
    setView(current);
  }
  const { top, left, followed } = current;
  useLayoutEffect(() => {
    if (followed > 0) scroller.current?.scrollTo({ top, left, behavior: "instant" });
    // oxlint-disable-next-line react/exhaustive-deps -- only when the cursor took the picture along; they also follow the user
  }, [scroller, followed]);
  // Before the first painting, so that the first window and the first place of the cursor fit the real size.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void =>
      setView((seen) =>
        Math.abs(seen.top - element.scrollTop) < NUDGE &&
        Math.abs(seen.left - element.scrollLeft) < NUDGE &&
        seen.height === element.clientHeight &&
        seen.width === element.clientWidth
          ? seen
          : {
              ...seen,
              top: element.scrollTop,
              left: element.scrollLeft,
              height: element.clientHeight,
              width: element.clientWidth,
            },
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
