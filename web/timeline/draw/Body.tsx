// The picture proper. Pointer and keyboard are heard here, once for all marks.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Tint } from "../causes.ts";
import type { TimelineMarks } from "../layout/marks.ts";
import { GUTTER, HEADER } from "../layout/metrics.ts";
import type { AnyRun, AnySystem } from "../moments.ts";
import type { VisibleWindow } from "../useVisibleWindow.ts";
import { Layers } from "./Layers.tsx";
import styles from "../Timeline.module.css";

interface Props {
  readonly system: AnySystem;
  readonly run: AnyRun;
  readonly marks: TimelineMarks;
  /** How many events have happened at the cursor. */
  readonly shown: number;
  readonly cursorY: number;
  readonly timeY: number;
  readonly selected: number | null;
  readonly onSelect: (seq: number | null) => void;
  readonly onHover: (seq: number | null) => void;
  readonly onToggleFold: (key: number) => void;
  readonly cone: ReadonlyMap<number, Tint> | null;
  readonly visible: VisibleWindow;
  readonly ahead: "outline" | "hidden";
  readonly scale: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** Where the keys have gone since something was selected. */
interface Wandered {
  readonly seq: number;
  readonly selected: number | null;
}

export function Body(props: Props) {
  const { system, run, marks, shown, cursorY, timeY, selected, onSelect, onHover, cone, visible, scale } =
    props;
  const prefix = useId();
  const body = useRef<SVGSVGElement>(null);
  // The event that the Tab key comes to: where the keys were last, else what is selected, else what happened last.
  const [wandered, setWandered] = useState<Wandered | null>(null);
  const there = wandered !== null && wandered.selected === selected ? wandered.seq : null;
  const current = Math.min(there ?? selected ?? shown - 1, shown - 1);
  const focusNext = useRef(false);
  useEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    const element = body.current?.querySelector<SVGGElement>(`[role="button"][data-seq="${current}"]`);
    element?.focus({ preventScroll: true });
    const mark = marks.events[current];
    if (mark !== undefined) bringIntoView(props.scroller.current, mark, scale);
  });

  const move = (seq: number): void => {
    focusNext.current = true;
    setWandered({ seq: Math.max(0, Math.min(shown - 1, seq)), selected });
  };
  const onKeyDown = (key: KeyboardEvent<SVGSVGElement>): void => {
    if (key.altKey || key.ctrlKey || key.metaKey || key.shiftKey) return;
    const focused = seqOf(key.target);
    const fold = foldOf(key.target);
    const act = keyAct(key.key, {
      next: focused === null ? null : () => move(focused + 1),
      previous: focused === null ? null : () => move(focused - 1),
      first: focused === null ? null : () => move(0),
      last: focused === null ? null : () => move(shown - 1),
      press:
        fold !== null
          ? () => props.onToggleFold(fold)
          : focused !== null
            ? () => onSelect(focused === selected ? null : focused)
            : null,
    });
    if (act === null) return;
    key.preventDefault();
    // The lab's own keys must not act as well.
    key.stopPropagation();
    act();
  };

  return (
    <svg
      ref={body}
      className={`${styles.body} ${cone === null ? "" : styles.cone}`}
      width={marks.width * scale - GUTTER * scale}
      height={marks.height * scale}
      viewBox={`${GUTTER} 0 ${marks.width - GUTTER} ${marks.height}`}
      role="group"
      aria-label={`Space-time picture: ${shown} of ${run.events.length} events have happened. Up and down move between events, Enter selects.`}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const fold = foldOf(event.target);
        if (fold !== null) return props.onToggleFold(fold);
        const seq = seqOf(event.target);
        onSelect(seq);
      }}
      onPointerOver={(event) => onHover(seqOf(event.target))}
      onPointerLeave={() => onHover(null)}
      onFocus={(event) => onHover(event.target.matches(":focus-visible") ? seqOf(event.target) : null)}
      onBlur={() => onHover(null)}
    >
      <Layers
        system={system}
        run={run}
        marks={marks}
        prefix={prefix}
        shown={shown}
        cursorY={cursorY}
        timeY={timeY}
        selected={selected}
        current={current}
        cone={cone}
        visible={visible}
        ahead={props.ahead}
      />
    </svg>
  );
}

function seqOf(target: EventTarget): number | null {
  const found = target instanceof Element ? target.closest("[data-seq]") : null;
  return found === null ? null : Number(found.getAttribute("data-seq"));
}

function foldOf(target: EventTarget): number | null {
  const found = target instanceof Element ? target.closest("[data-fold]") : null;
  return found === null ? null : Number(found.getAttribute("data-fold"));
}

type KeyActs = Readonly<Record<"next" | "previous" | "first" | "last" | "press", (() => void) | null>>;

function keyAct(key: string, acts: KeyActs): (() => void) | null {
  switch (key) {
    case "ArrowDown":
      return acts.next;
    case "ArrowUp":
      return acts.previous;
    case "Home":
      return acts.first;
    case "End":
      return acts.last;
    case "Enter":
    case " ":
      return acts.press;
    default:
      return null;
  }
}

function bringIntoView(
  scroller: HTMLElement | null,
  mark: { readonly x: number; readonly y: number },
  scale: number,
): void {
  if (scroller === null) return;
  const header = HEADER * scale;
  const y = mark.y * scale;
  const room = scroller.clientHeight - header;
  if (y < scroller.scrollTop + 40 || y > scroller.scrollTop + room - 40) scroller.scrollTop = y - room / 2;
  const x = mark.x * scale;
  if (x < scroller.scrollLeft + GUTTER * scale + 40 || x > scroller.scrollLeft + scroller.clientWidth - 40)
    scroller.scrollLeft = x - scroller.clientWidth / 2;
}
