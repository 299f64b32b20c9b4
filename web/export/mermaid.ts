// A run as a Mermaid sequence diagram: text for a README, an issue or a design note. Messages keep their fates; what is
// routine is left out unless it is asked for.
import type { Event } from "../../shared/systems/event.ts";
import type { Lane } from "../../shared/systems/system.ts";
import type { AnySystem } from "../timeline/moments.ts";
import type { Depiction, Words } from "../timeline/picture/picture.ts";
import { pictureOf } from "../timeline/picture/pictures.ts";
import { secondsLabel } from "../timeline/words.ts";

export interface MermaidOptions {
  readonly system: AnySystem;
  readonly lanes: readonly Lane[];
  /** What is drawn: the events up to the cursor. */
  readonly events: readonly Event[];
  readonly title: string;
  /** Also the requests that brought nothing new. Default false. */
  readonly routine?: boolean;
}

export function mermaidText(options: MermaidOptions): string {
  const { lanes, events, title } = options;
  const { depictions, routine } = pictureOf(options.system.id).depict(events);
  const names = new Map(lanes.map((lane, index) => [lane.id, `L${index}`]));
  const lines = ["---", `title: ${JSON.stringify(title)}`, "---", "sequenceDiagram"];
  for (const lane of lanes)
    lines.push(`  participant ${names.get(lane.id)} as ${clean(lane.title)}<br/>${clean(lane.subtitle)}`);
  const ended = new Map<number, number>();
  for (const event of events) {
    const from = depictions[event.seq]?.arrival?.from;
    if (from !== undefined && !ended.has(from)) ended.set(from, event.seq);
  }
  for (const event of events) {
    const depiction = depictions[event.seq];
    const own = names.get(event.lane);
    if (depiction === undefined || own === undefined) continue;
    if (routine[event.seq] === 1 && options.routine !== true) continue;
    lines.push(...arrivalLines(event, depiction, { depictions, names, events }));
    const said = noteText(depiction);
    if (said !== "") lines.push(`  Note over ${own}: ${secondsLabel(event.at)} s: ${clean(said)}`);
    // On its way when the run ends.
    const { sends } = depiction;
    const to = sends === null ? undefined : names.get(sends.to);
    if (sends !== null && to !== undefined && !ended.has(event.seq) && sends.weight !== "answer")
      lines.push(`  ${own}-)${to}: ${clean(sends.label)} (on its way)`);
  }
  return `${lines.join("\n")}\n`;
}

interface Known {
  readonly depictions: readonly Depiction[];
  readonly names: ReadonlyMap<string, string>;
  readonly events: readonly Event[];
}

/** A message is drawn where it ended: a sequence diagram has one line for both of its ends. */
function arrivalLines(event: Event, depiction: Depiction, known: Known): readonly string[] {
  const { arrival } = depiction;
  if (arrival === null) return [];
  const sender = known.events[arrival.from];
  const sending = known.depictions[arrival.from]?.sends;
  if (sender === undefined || sending === undefined || sending === null) return [];
  const from = known.names.get(sender.lane);
  const to = known.names.get(arrival.fate === "lost" ? sending.to : event.lane);
  if (from === undefined || to === undefined || from === to) return [];
  const label = sending.label === "" ? "answer" : sending.label;
  switch (arrival.fate) {
    case "lost":
      return [`  ${from}-x${to}: ${clean(label)} (lost)`];
    case "ignored":
      return [`  ${from}--)${to}: ${clean(label)} (late, ignored)`];
    case "refused":
      return [`  ${from}-x${to}: ${clean(label)}`];
    case "taken":
      return [`  ${from}${sending.weight === "answer" ? "-->>" : "->>"}${to}: ${clean(label)}`];
    default:
      return [];
  }
}

function noteText({ shape }: Depiction): string {
  const join = (words: Words | null): string => (words === null ? "" : words.lines.join(" "));
  switch (shape.kind) {
    case "note":
    case "record":
      return join(shape.words);
    case "cell":
      return [shape.text, join(shape.below)].filter((part) => part !== "").join(", ");
    case "cross":
      return shape.words?.lines[0] === "lost" ? "" : join(shape.words);
    case "tick":
      return "";
    default:
      return "";
  }
}

/** What Mermaid would read as its own or as markup. */
const OWN: Readonly<Record<string, string>> = {
  "#": "#35;",
  ";": "#59;",
  "<": "#lt;",
  ">": "#gt;",
  "\n": " ",
};

const clean = (text: string): string => text.replaceAll(/[#;<>\n]/g, (sign) => OWN[sign] ?? sign);
