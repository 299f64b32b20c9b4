// A button with a menu. Arrows move, Escape closes and gives the focus back, a click elsewhere closes.
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import css from "./Menu.module.css";

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** For a choice among several: whether it is the present one. */
  readonly isChecked?: boolean;
  readonly onChoose: () => void;
}

export function Menu({
  label,
  groups,
  isSmall = false,
  isAbove = false,
  children,
}: {
  readonly label: string;
  readonly groups: readonly { readonly title: string | null; readonly items: readonly MenuItem[] }[];
  readonly isSmall?: boolean;
  /** Opens upwards, for a button at the foot of the page. */
  readonly isAbove?: boolean;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [
    ...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? []),
  ];
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>("[aria-haspopup]")?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const onDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", onDown);
    return () => document.removeEventListener("pointerdown", onDown);
  }, [isOpen]);
  const onKey = (event: React.KeyboardEvent): void => {
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      return close();
    }
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  return (
    <div ref={root} className={css.root}>
      <Button
        isSmall={isSmall}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </Button>
      {isOpen && (
        <div
          id={id}
          role="menu"
          aria-label={label}
          className={css.menu}
          data-above={isAbove || undefined}
          tabIndex={-1}
          onKeyDown={onKey}
        >
          {groups.map((group, index) => (
            <div
              key={group.title ?? index}
              role="group"
              aria-label={group.title ?? undefined}
              className={css.group}
            >
              {group.title !== null && (
                <div className={css.title} aria-hidden="true">
                  {group.title}
                </div>
              )}
              {group.items.map((item) => (
                <button
                  key={item.id}
                  type="button"
                  role={item.isChecked === undefined ? "menuitem" : "menuitemradio"}
                  aria-checked={item.isChecked}
                  tabIndex={-1}
                  className={css.item}
                  onClick={() => {
                    close();
                    item.onChoose();
                  }}
                >
                  <span>{item.label}</span>
                  {item.hint !== undefined && <kbd className={css.hint}>{item.hint}</kbd>}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
