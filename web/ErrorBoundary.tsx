// A failed assertion, shown with its claim, a link to the moment, and ways on. React has no hook for this, so it is a class.
import { Component, type ErrorInfo, type ReactNode } from "react";
import { urlOf } from "./state/permalink.ts";
import { initialChoice, useLab } from "./state/store.ts";
import css from "./ErrorBoundary.module.css";

interface State {
  readonly error: Error | null;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  private readonly back = (): void => {
    const { undoable } = useLab.getState();
    const last = undoable.at(-1);
    if (last !== undefined) useLab.setState({ ...last, undoable: undoable.slice(0, -1), playing: false });
    this.setState({ error: null });
  };

  private readonly restart = (): void => {
    const { theme, pace, speed, answers } = useLab.getState();
    useLab.setState({ ...initialChoice(), theme, pace, speed, answers });
    window.history.replaceState(null, "", "/");
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const link = linkToHere();
    return (
      <main className={css.page}>
        <h1>The lab made a mistake</h1>
        <p>This is a fault of the lab and not of what you did. It stopped with:</p>
        <pre className={css.claim}>{error.message}</pre>
        {link !== null && (
          <p>
            <a href={link}>This link</a> holds what you did up to here; with it the fault can be found.
          </p>
        )}
        <div className={css.buttons}>
          <button type="button" onClick={this.back}>
            Undo the last act and go on
          </button>
          <button type="button" onClick={this.restart}>
            Start from the first screen
          </button>
        </div>
      </main>
    );
  }
}

/** Null when even the link cannot be made: the fault may be in what it would hold. */
function linkToHere(): string | null {
  try {
    return urlOf(useLab.getState());
  } catch (error) {
    console.error(error);
    return null;
  }
}
