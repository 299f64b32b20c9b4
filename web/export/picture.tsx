// The picture as a file: an SVG that needs nothing beside itself, or a PNG at twice its size.
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import monoUrl from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";
import { failed, ok, type Problem, type Result } from "../../shared/base/result.ts";
import { withInlineStyles } from "./inlineStyles.ts";
import { Still, type StillProps } from "./Still.tsx";

/** A canvas larger than this is refused by one browser or another. */
const SIDE_MOST = 16_000;
const AREA_MOST = 120_000_000;
/** A PNG smaller than its picture cannot be read. */
const SCALE_LEAST = 0.75;

interface Drawn {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** Colours are those of the theme that the page shows now. */
export async function exportSvg(props: StillProps): Promise<Blob> {
  const { text } = await draw(props);
  return new Blob([text], { type: "image/svg+xml" });
}

/** `scale`: pixels of the file for one of the picture. Default 2; less when the picture is too tall for that. */
export async function exportPng(props: StillProps, scale = 2): Promise<Result<Blob, Problem>> {
  const { text, width, height } = await draw(props);
  const fits = Math.min(
    scale,
    SIDE_MOST / height,
    SIDE_MOST / width,
    Math.sqrt(AREA_MOST / (width * height)),
  );
  if (fits < SCALE_LEAST)
    return failed({
      path: "",
      expected: `a picture of at most ${SIDE_MOST} pixels either way`,
      got: `${Math.round(width)} × ${Math.round(height)}`,
      remedy: "Export it as SVG, which has no such limit, or move the cursor back.",
    });
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * fits);
    canvas.height = Math.round(height * fits);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob !== null) return ok(blob);
  } finally {
    URL.revokeObjectURL(url);
  }
  return failed({
    path: "",
    expected: "the browser to write a PNG",
    got: "nothing",
    remedy: "Export the picture as SVG instead.",
  });
}

async function draw(props: StillProps): Promise<Drawn> {
  const fonts = await fontFaces();
  const host = document.createElement("div");
  // In the document, or no style sheet would reach it; out of sight and out of the reading order.
  host.inert = true;
  host.ariaHidden = "true";
  Object.assign(host.style, { position: "fixed", left: "-100000px", top: "0", visibility: "hidden" });
  document.body.append(host);
  const root = createRoot(host);
  try {
    flushSync(() => root.render(<Still {...props} />));
    const drawn = host.querySelector("svg");
    if (drawn === null) throw new Error("The picture was rendered and is not there");
    const copy = withInlineStyles(drawn);
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = fonts;
    copy.querySelector("defs")?.prepend(style);
    return {
      text: `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}`,
      width: Number(drawn.getAttribute("width")),
      height: Number(drawn.getAttribute("height")),
    };
  } finally {
    root.unmount();
    host.remove();
  }
}

let faces: Promise<string> | null = null;

/** The two faces of the lab as `@font-face` rules with their files inside, so that the words keep their places anywhere. */
function fontFaces(): Promise<string> {
  faces ??= Promise.all([
    face("Inter Variable", "100 900", interUrl),
    face("JetBrains Mono Variable", "100 800", monoUrl),
  ]).then((rules) => rules.join("\n"));
  return faces;
}

async function face(family: string, weights: string, url: string): Promise<string> {
  const answer = await fetch(url);
  // Without its file the picture falls back to the system's face.
  if (!answer.ok) return "";
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `@font-face { font-family: "${family}"; font-weight: ${weights}; src: url(data:font/woff2;base64,${btoa(binary)}) format("woff2"); }`;
}
