// A native modal dialog: the browser keeps the focus in it, closes it on Escape and gives the focus back.
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import css from "./Dialog.module.css";

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Closed while it is still part of the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={css.dialog}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The dialog itself is hit only where its backdrop is.
        if (event.target === element.current) onClose();
      }}
    >
      <div className={css.inside}>
        <div className={css.head}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          <Button look="quiet" isSmall onClick={onClose}>
            Close
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
