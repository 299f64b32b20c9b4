// The picture as a file. What draws it is loaded when it is asked for.
import { unreachable } from "../../shared/base/assert.ts";
import { sentence } from "../../shared/base/result.ts";
import { download, fileNameOf } from "../files/files.ts";
import { verdictsOf } from "../state/derive.ts";
import { hereOf, say, useLab } from "../state/store.ts";

export type PictureFile = "svg" | "png" | "mermaid";

/** Exports the run up to the cursor, in the theme that is shown. */
export async function exportPicture(kind: PictureFile): Promise<void> {
  const { origin, run, moment } = hereOf(useLab.getState());
  const { system, title } = origin;
  const lanes = system.lanes(origin.config);
  const end = run.eventEnds[moment.cursor] ?? 0;
  const save = (content: Blob, ending: string): void => {
    const name = fileNameOf(title, ending);
    download(window, name, content);
    say("info", `Exported as ${name}.`);
  };
  switch (kind) {
    case "mermaid": {
      const { mermaidText } = await import("../export/mermaid.ts");
      const text = mermaidText({ system, lanes, events: run.events.slice(0, end), title });
      return save(new Blob([text], { type: "text/plain" }), "mmd");
    }
    case "svg":
    case "png": {
      const { exportPng, exportSvg } = await import("../export/picture.tsx");
      const verdictMarks = verdictsOf(origin, run).flatMap((verdict) =>
        verdict.kind === "broken" ? [{ seq: verdict.seq, claim: verdict.claim }] : [],
      );
      const props = { system, lanes, run, cursor: moment.cursor, title, verdictMarks };
      if (kind === "svg") return save(await exportSvg(props), "svg");
      const png = await exportPng(props);
      return png.ok ? save(png.value, "png") : say("error", sentence(png.error));
    }
    default:
      return unreachable(kind);
  }
}
