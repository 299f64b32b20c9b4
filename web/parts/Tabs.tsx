// Tabs with roving focus: arrows, Home and End choose.
import { useRef } from "react";
import css from "./Tabs.module.css";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

export function Tabs<Id extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  panelId,
  isFull = false,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly panelId: string;
  /** Spread over the whole width. */
  readonly isFull?: boolean;
}) {
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number): void => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (tab === undefined) return;
    onChoose(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={css.tabs} data-full={isFull || undefined}>
      {tabs.map((tab, index) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className={css.tab}
          data-tab={tab.id}
          aria-selected={tab.id === chosen}
          aria-controls={panelId}
          tabIndex={tab.id === chosen ? 0 : -1}
          onClick={() => onChoose(tab.id)}
          onKeyDown={(event) => {
            const to: Readonly<Record<string, number>> = {
              ArrowLeft: index - 1,
              ArrowRight: index + 1,
              Home: 0,
              End: tabs.length - 1,
            };
            const next = to[event.key];
            if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            choose(next);
          }}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
