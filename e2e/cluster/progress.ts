// What a person is told while a cluster comes up: notes, and how far the build is.
import type { WriteStream } from "node:tty";

export type Progress =
  | { readonly kind: "note"; readonly text: string }
  /** `built` of `total` Go packages; `total` counts only the packages that Go's own cache does not hold. */
  | { readonly kind: "build"; readonly built: number; readonly total: number };

export type Report = (progress: Progress) => void;

/** The part of a stream that the printer needs. */
export type Output = Pick<WriteStream, "write"> & { readonly isTTY?: boolean };

/**
 * Prints progress as text. On a terminal the build is one line that is rewritten; into a file or a CI log it
 * is one line for each tenth, since a rewritten line would be noise there.
 */
export function createProgressPrinter(output: Output): Report {
  let lineOpen = false;
  let tenthsPrinted = -1;
  let textPrinted = "";
  return (progress) => {
    if (progress.kind === "note") {
      output.write(`${lineOpen ? "\n" : ""}${progress.text}\n`);
      lineOpen = false;
      return;
    }
    const { built, total } = progress;
    const percent = total === 0 ? 100 : Math.floor((Math.min(built, total) / total) * 100);
    const text = `  built ${built} of ${total} packages (${percent} %)`;
    if (output.isTTY === true) {
      if (text === textPrinted) return;
      textPrinted = text;
      output.write(`\r${text}`);
      lineOpen = true;
      return;
    }
    const tenths = Math.floor(percent / 10);
    if (tenths <= tenthsPrinted) return;
    tenthsPrinted = tenths;
    output.write(`${text}\n`);
  };
}
