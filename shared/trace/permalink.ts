// What a URL holds: where a run starts, which actions were chosen, and the moment that is looked at. It is written as JSON,
// deflated (RFC 1951) and spelled in base64url (RFC 4648 §5), so that it stands in a URL as it is.
import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import { parseJson } from "../base/json.ts";
import { failed, ok, sentence, type Problem, type Result } from "../base/result.ts";
import { parseWith, shown } from "../base/schema.ts";
import * as z from "../base/zod.ts";
import type { BaseAction } from "../systems/system.ts";
import {
  branchSchema,
  canonical,
  engineProblem,
  momentProblem,
  momentSchema,
  originSchema,
  parseRecording,
  RECORDING_LIMITS,
  type ParserOf,
} from "./codec.ts";
import {
  ENGINE_VERSION,
  MAIN_BRANCH,
  newRecording,
  RECORDING_FORMAT,
  type Branch,
  type Moment,
  type Origin,
  type Recording,
} from "./recording.ts";

export const PERMALINK_VERSION = 1;
/** Longest text of a permalink, in characters: beyond it chat programs and proxies cut links. Export a file instead. */
export const PERMALINK_TEXT_MAX = 32 * 1024;
/** Most bytes that a permalink may inflate to. */
export const PERMALINK_INFLATED_MAX = 1024 * 1024;

export interface Permalink {
  readonly origin: Origin;
  /** Without the main branch when that is the scenario's own script, see {@link permalinkOf}. */
  readonly branches: readonly Branch[];
  readonly moment: Moment;
}

/** What to write into the URL. `script`: the actions of the scenario's own script, or none for a configuration. */
export function permalinkOf(recording: Recording, moment: Moment, script: readonly BaseAction[]): Permalink {
  const scripted = newRecording(recording.origin, script).branches[0];
  const branches = recording.branches.filter(
    (branch) => branch.id !== MAIN_BRANCH || canonical(branch) !== canonical(scripted),
  );
  return { origin: recording.origin, branches, moment };
}

/**
 * The recording that a permalink means, checked like one from a file. Fails also when the moment is not in it.
 * Whether its actions can be replayed is not known before they are.
 */
export function recordingOf<Action extends BaseAction>(
  link: Permalink,
  script: readonly Action[],
  parserOf: ParserOf<Action>,
): Result<Recording<Action>> {
  const hasMain = link.branches.some((branch) => branch.id === MAIN_BRANCH);
  const recording = parseRecording(
    {
      format: RECORDING_FORMAT,
      engine: ENGINE_VERSION,
      origin: link.origin,
      branches: hasMain ? link.branches : [...newRecording(link.origin, script).branches, ...link.branches],
    },
    parserOf,
  );
  if (!recording.ok) return recording;
  const problem = momentProblem(recording.value, link.moment);
  return problem === null ? recording : failed([problem]);
}

/** The text for a URL. It may be longer than {@link PERMALINK_TEXT_MAX}: then offer a file instead of a link. */
export function encodePermalink(link: Permalink): string {
  const text = canonical({ v: PERMALINK_VERSION, engine: ENGINE_VERSION, ...link });
  return toBase64Url(deflateSync(strToU8(text), { level: 9 }));
}

const schema = z.strictObject({
  v: z.literal(PERMALINK_VERSION),
  engine: z.literal(ENGINE_VERSION),
  origin: originSchema,
  branches: z.array(branchSchema).max(RECORDING_LIMITS.branches),
  moment: momentSchema,
});

/** Reads the text of a URL. Actions are checked by {@link recordingOf}, which knows the system. */
export function decodePermalink(text: string): Result<Permalink, Problem> {
  if (text.length > PERMALINK_TEXT_MAX)
    return failed({
      path: "",
      expected: `a permalink of at most ${PERMALINK_TEXT_MAX} characters`,
      got: `${text.length} characters`,
      remedy: "Ask for the recording as a file and open that.",
    });
  const bytes = fromBase64Url(text);
  if (!bytes.ok) return bytes;
  const inflated = inflate(bytes.value);
  if (!inflated.ok) return inflated;
  const parsed = parseJson(inflated.value);
  if (!parsed.ok) return failed(damaged(`text that is not JSON (${sentence(parsed.error)})`));
  const input = parsed.value;
  const fields: { v?: unknown; engine?: unknown } = typeof input === "object" && input !== null ? input : {};
  if (fields.v !== PERMALINK_VERSION)
    return failed({
      path: "v",
      expected: `${PERMALINK_VERSION}, the version of permalinks that this lab writes`,
      got: shown(fields.v),
      remedy: "Open it with the lab that made it, or ask for the recording as a file.",
    });
  const engine = engineProblem(fields.engine);
  if (engine !== null) return failed(engine);
  const link = parseWith(schema, input);
  if (!link.ok) return failed(link.error[0] ?? damaged("something else"));
  const { origin, branches, moment } = link.value;
  return ok({ origin, branches, moment });
}

function damaged(got: string): Problem {
  return {
    path: "",
    expected: "a permalink of Epoch Lab",
    got,
    remedy: "It may have been cut off or changed on its way; copy the whole link again.",
  };
}

const CHUNK_BYTES = 512;

/** Inflates chunk by chunk and stops when too much has come out, so that a small link cannot fill the memory. */
function inflate(bytes: Uint8Array): Result<string, Problem> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate((part) => {
    parts.push(part);
    length += part.length;
  });
  try {
    for (let at = 0; at < bytes.length || at === 0; at += CHUNK_BYTES) {
      stream.push(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length);
      if (length > PERMALINK_INFLATED_MAX)
        return failed({
          path: "",
          expected: `a permalink that unpacks to at most ${PERMALINK_INFLATED_MAX} bytes`,
          got: "a larger one",
          remedy: "Ask for the recording as a file and open that.",
        });
    }
  } catch (error) {
    // fflate throws on data that is not a deflate stream, or that ends early.
    return failed(
      damaged(`data that cannot be unpacked (${error instanceof Error ? error.message : "damaged"})`),
    );
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return ok(strFromU8(whole));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let digit = 0; digit < Math.min(left, 3) + 1; digit += 1)
      text += ALPHABET[(group >> (18 - 6 * digit)) & 63];
  }
  return text;
}

function fromBase64Url(text: string): Result<Uint8Array, Problem> {
  if (text === "" || text.length % 4 === 1) return failed(damaged(`a text of ${text.length} characters`));
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const [index, letter] of [...text].entries()) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return failed(damaged(`the character ${JSON.stringify(letter)} at position ${index + 1}`));
    held = ((held << 6) | digit) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (held >> bits) & 0xff;
      at += 1;
    }
  }
  return ok(bytes);
}
