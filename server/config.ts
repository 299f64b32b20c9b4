// What the command line and the environment ask for, read once and refused in words. Every flag is a row of one table.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { failed, ok, type Problem, type Result } from "../shared/base/result.ts";
import { readClusterSettings, type ClusterSettings } from "./cluster/settings.ts";

export interface Config {
  readonly kind: "serve";
  /** A loopback address. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly dataFolder: string;
  /** Whether pages come through Vite, with hot reload. */
  readonly dev: boolean;
  /** How much is logged on standard error; default `warn`. */
  readonly logLevel: LogLevel;
  /** Null: no cluster was asked for. */
  readonly cluster: ClusterSettings | null;
}

export const LOG_LEVELS = ["silent", "error", "warn", "info"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Asked = Config | { readonly kind: "help" };

export const DEFAULT_PORT = 4600;

interface Flag {
  readonly type: "string" | "boolean";
  /** What stands for its value in the help. */
  readonly value: string;
  readonly says: string;
}

const FLAGS = {
  port: { type: "string", value: "PORT", says: `port to listen on (default ${DEFAULT_PORT}, or PORT)` },
  host: { type: "string", value: "HOST", says: "127.0.0.1 (default), ::1 or localhost" },
  data: {
    type: "string",
    value: "DIR",
    says: "folder of the sessions (default: your data folder, one for each port, or EPOCH_LAB_DATA)",
  },
  cluster: {
    type: "string",
    value: "KIND",
    says: "kubeconfig, in-cluster or throwaway: also run on a real API server (default: off)",
  },
  kubeconfig: {
    type: "string",
    value: "FILE",
    says: "default: KUBECONFIG or ~/.kube/config, as kubectl does",
  },
  context: { type: "string", value: "NAME", says: "default: the kubeconfig's current context" },
  namespace: { type: "string", value: "NAME", says: "default: the context's namespace" },
  dev: { type: "boolean", value: "", says: "pages through Vite, with hot reload" },
  help: { type: "boolean", value: "", says: "this list" },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof FLAGS;

/** The list of flags, one a line. */
export function flagList(): string {
  const rows = Object.entries<Flag>(FLAGS).map(
    ([name, { value, says }]) => `  ${`--${name}${value === "" ? "" : ` ${value}`}`.padEnd(18)} ${says}`,
  );
  return rows.join("\n");
}

export function parseConfig(
  flags: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Result<Asked> {
  const problems: Problem[] = [];
  const given = readFlags(flags, problems);
  if (given.has("help")) return ok({ kind: "help" });
  const port = readPort(given.get("port"), env, problems);
  const host = readHost(given.get("host"), problems);
  const cluster = readClusterSettings(
    {
      cluster: given.get("cluster"),
      kubeconfig: given.get("kubeconfig"),
      context: given.get("context"),
      namespace: given.get("namespace"),
    },
    problems,
  );
  const logLevel = readLogLevel(env, problems);
  const folder = given.get("data") ?? nonEmpty(env["EPOCH_LAB_DATA"]);
  if (problems.length > 0) return failed(problems);
  return ok({
    kind: "serve",
    host,
    port,
    dataFolder: folder === undefined ? defaultFolder(env, port) : resolve(folder),
    dev: given.has("dev"),
    logLevel,
    cluster,
  });
}

function readFlags(flags: readonly string[], problems: Problem[]): ReadonlyMap<FlagName, string> {
  const { tokens } = parseArgs({
    args: [...flags],
    options: Object.fromEntries(Object.entries<Flag>(FLAGS).map(([name, { type }]) => [name, { type }])),
    strict: false,
    tokens: true,
  });
  const given = new Map<FlagName, string>();
  const remedy = `Use these:\n${flagList()}`;
  for (const token of tokens) {
    if (token.kind === "positional")
      problems.push({ path: "", expected: "flags only", got: JSON.stringify(token.value), remedy });
    if (token.kind !== "option") continue;
    const { name, value } = token;
    if (!Object.hasOwn(FLAGS, name)) {
      problems.push({ path: "", expected: "a known flag", got: token.rawName, remedy });
      continue;
    }
    const { type } = FLAGS[name as FlagName];
    if ((type === "string") !== (value !== undefined && value !== ""))
      problems.push({
        path: token.rawName,
        expected: type === "string" ? "a value" : "no value",
        got: value === undefined || value === "" ? "none" : JSON.stringify(value),
        remedy,
      });
    given.set(name as FlagName, value ?? "");
  }
  return given;
}

function readPort(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  problems: Problem[],
): number {
  // `npm start --port 4700`, without the `--` in between, gives the flag to npm, which passes it on like this.
  const fromNpm = nonEmpty(env["npm_config_port"]);
  const sources = [
    { path: "--port", text: flag },
    { path: "--port", text: fromNpm },
    { path: "PORT", text: nonEmpty(env["PORT"]) },
  ];
  const source = sources.find(({ text }) => text !== undefined);
  if (source?.text === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(source.text) ? Number(source.text) : Number.NaN;
  if (port <= 65_535) return port;
  problems.push({
    path: source.path,
    expected: "a whole number from 0 to 65535",
    got: JSON.stringify(source.text),
    remedy: `Choose another, such as ${DEFAULT_PORT}.`,
  });
  return DEFAULT_PORT;
}

const HOSTS: Readonly<Record<string, string>> = {
  "127.0.0.1": "127.0.0.1",
  localhost: "127.0.0.1",
  "::1": "::1",
  "[::1]": "::1",
};

function readHost(flag: string | undefined, problems: Problem[]): string {
  const host = Object.hasOwn(HOSTS, flag ?? "127.0.0.1") ? HOSTS[flag ?? "127.0.0.1"] : undefined;
  if (host !== undefined) return host;
  problems.push({
    path: "--host",
    expected: "a loopback address: 127.0.0.1, ::1 or localhost",
    got: JSON.stringify(flag),
    remedy:
      "The lab is for this machine alone; reach it from elsewhere through a tunnel with the same port at both ends, such as ssh -L 4600:127.0.0.1:4600.",
  });
  return "127.0.0.1";
}

function readLogLevel(env: Readonly<Record<string, string | undefined>>, problems: Problem[]): LogLevel {
  const text = nonEmpty(env["EPOCH_LAB_LOG"]) ?? "warn";
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  problems.push({
    path: "EPOCH_LAB_LOG",
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    got: JSON.stringify(text),
    remedy: "Choose one of them, or leave it out.",
  });
  return "warn";
}

/** One folder for each port: two labs at once never share one, and a link to a session names the port anyway. */
function defaultFolder(env: Readonly<Record<string, string | undefined>>, port: number): string {
  // The XDG base directory specification: a relative path is to be ignored.
  const xdg = nonEmpty(env["XDG_DATA_HOME"]);
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), ".local", "share");
  return join(base, "epoch-lab", `port-${port}`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
