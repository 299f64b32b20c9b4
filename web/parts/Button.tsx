// Buttons. A command's button takes name, keys and refusal from the command, so that button, key and help never disagree.
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { commandOf, keyName, type CommandId } from "../state/commands.ts";
import { useLab } from "../state/store.ts";
import { useServices } from "../services.ts";
import css from "./Button.module.css";

export type Look = "plain" | "primary" | "quiet" | "danger";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "disabled"> {
  readonly look?: Look;
  readonly isSmall?: boolean;
  /** Why it cannot be pressed now. It keeps the focus and says so, where a disabled button would fall silent. */
  readonly refusal?: string | null;
}

export function Button({
  look = "plain",
  isSmall = false,
  refusal = null,
  onClick,
  title,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={css.button}
      data-look={look}
      data-small={isSmall || undefined}
      aria-disabled={refusal === null ? undefined : true}
      title={refusal ?? title}
      onClick={(event) => {
        if (refusal === null) onClick?.(event);
        else event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}

export function CommandButton({
  id,
  look = "plain",
  isSmall = false,
  label,
  children,
}: {
  readonly id: CommandId;
  readonly look?: Look;
  readonly isSmall?: boolean;
  /** Another accessible name than the command's own, such as "Pause". */
  readonly label?: string;
  readonly children?: ReactNode;
}) {
  const command = commandOf(id);
  const services = useServices();
  const refusal = useLab((chosen) => command.refusal(chosen));
  const name = label ?? command.label;
  const keys = command.keys.map(keyName).join(" or ");
  return (
    <Button
      look={look}
      isSmall={isSmall}
      refusal={refusal}
      {...(children === undefined ? {} : { "aria-label": name })}
      aria-keyshortcuts={command.keys.map((key) => (key === " " ? "Space" : key)).join(" ")}
      title={`${name} (${keys})`}
      onClick={() => command.perform(services)}
    >
      {children ?? name}
    </Button>
  );
}
