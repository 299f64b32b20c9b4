// Which part of a tall picture is on the screen, in steps, so that scrolling renders now and then and not at every pixel.
import { useEffect, useState, type RefObject } from "react";

export interface VisibleWindow {
  readonly y0: number;
  readonly y1: number;
}

/** Height of a step, and what is kept ready above and below, in the picture's own pixels. */
const STEP = 300;
const AROUND = 450;

export function windowAt(scrollTop: number, height: number, scale: number): VisibleWindow {
  const top = scrollTop / scale;
  const bottom = (scrollTop + height) / scale;
  return {
    y0: Math.floor((top - AROUND) / STEP) * STEP,
    y1: Math.ceil((bottom + AROUND) / STEP) * STEP,
  };
}

/**
 * The window of `scroller` that is to be rendered. `scale`: how much larger the picture is drawn than it was laid out.
 * Follows scrolling and resizing; changes only when a step is crossed.
 */
export function useVisibleWindow(scroller: RefObject<HTMLElement | null>, scale: number): VisibleWindow {
  const [visible, setVisible] = useState<VisibleWindow>(() => windowAt(0, 1200, scale));
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const next = windowAt(element.scrollTop, element.clientHeight, scale);
      setVisible((before) => (before.y0 === next.y0 && before.y1 === next.y1 ? before : next));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scroller, scale]);
  return visible;
}
