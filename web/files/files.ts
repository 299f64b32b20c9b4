// Recordings as files, in and out, and what else the lab asks of the browser: clipboard, picker, drop, download.
import { encodeRecording, RECORDING_LIMITS } from "../../shared/trace/codec.ts";
import type { Services } from "../state/commands.ts";
import { openFileText } from "../state/opening.ts";
import { urlOf } from "../state/permalink.ts";
import { hereOf, refuse, say, useLab } from "../state/store.ts";

/** Bytes of a file that are read at all: what is longer cannot be a recording, whatever its encoding. */
const BYTES_MAX = RECORDING_LIMITS.textLength * 4;

export function browserServices(page: Window, navigate: (path: string) => void): Services {
  return {
    navigate,
    copyLink: () => void copyLink(page),
    openFile: () => pickFile(page.document, navigate),
    exportRecording: () => exportRecording(page),
  };
}

async function copyLink(page: Window): Promise<void> {
  const url = urlOf(useLab.getState());
  if (url === null)
    return say(
      "error",
      "This recording is too long for a link. Export it as a file instead (X), or share it live.",
    );
  const link = `${page.location.origin}${url}`;
  try {
    await page.navigator.clipboard.writeText(link);
    say("info", "Link copied. It opens this very moment.");
  } catch (error) {
    // Without the right to the clipboard the address bar holds the same link.
    console.info("The clipboard is closed", error);
    page.history.replaceState(null, "", url);
    say(
      "error",
      "This browser does not let the lab use the clipboard. The address bar holds the link: copy it there.",
    );
  }
}

/** A name for a file: what the run is called, in plain letters. */
export function fileNameOf(title: string, ending: string): string {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${plain === "" ? "recording" : plain}.${ending}`;
}

export function download(page: Window, name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = page.document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the content by the next turn.
  page.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function exportRecording(page: Window): void {
  const chosen = useLab.getState();
  const name = fileNameOf(hereOf(chosen).origin.title, "json");
  download(page, name, new Blob([encodeRecording(chosen.recording)], { type: "application/json" }));
  say("info", `Exported as ${name}. Open it here again, or replay it with npm run play.`);
}

function pickFile(document: Document, navigate: (path: string) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,application/json";
  input.hidden = true;
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.remove();
    if (file !== undefined) void openFile(file, navigate);
  });
  input.addEventListener("cancel", () => input.remove());
  // Part of the page while the user chooses, or nothing would hold it until then.
  document.body.append(input);
  input.click();
}

/** Opens a recording file in the lab, whatever page is open. */
export async function openFile(file: File, navigate: (path: string) => void): Promise<void> {
  const what = `The file ${file.name}`;
  if (file.size > BYTES_MAX)
    return refuse({
      what,
      problems: [
        {
          path: "",
          expected: `a recording of at most ${RECORDING_LIMITS.textLength} characters`,
          got: `${file.size} bytes`,
          remedy: "Choose a file that was exported as a recording.",
        },
      ],
      replay: null,
      salvage: null,
    });
  let text: string;
  try {
    text = await file.text();
  } catch (error) {
    console.info(error);
    return say("error", `${what} could not be read. Choose it again.`);
  }
  if (openFileText(text, what)) {
    navigate("/");
    say("info", `${what} is open.`);
  }
}

/** A file dropped anywhere on the page is opened. */
export function openDropped(page: Window, navigate: (path: string) => void): () => void {
  const onOver = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
  };
  const onDrop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void openFile(file, navigate);
  };
  page.addEventListener("dragover", onOver);
  page.addEventListener("drop", onDrop);
  return () => {
    page.removeEventListener("dragover", onOver);
    page.removeEventListener("drop", onDrop);
  };
}
