import { describe, expect, it } from "vitest";
import { sentence } from "../shared/base/result.ts";
import { parseConfig, type Config } from "./config.ts";

interface Row {
  readonly why: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly gives: Partial<Config> | { readonly kind: "help" };
}

const rows: readonly Row[] = [
  { why: "nothing asked for is loopback at 4600", gives: { host: "127.0.0.1", port: 4600, dev: false } },
  { why: "PORT", env: { PORT: "5000" }, gives: { port: 5000 } },
  { why: "an empty PORT is none", env: { PORT: "" }, gives: { port: 4600 } },
  {
    why: "--port counts for more than PORT",
    flags: ["--port", "5001"],
    env: { PORT: "5000" },
    gives: { port: 5001 },
  },
  { why: "--port=5001", flags: ["--port=5001"], gives: { port: 5001 } },
  {
    why: "a port that was given to npm instead",
    env: { npm_config_port: "5002", PORT: "5000" },
    gives: { port: 5002 },
  },
  { why: "port 0 means any", flags: ["--port", "0"], gives: { port: 0 } },
  { why: "--dev", flags: ["--dev"], gives: { dev: true } },
  {
    why: "--host localhost is the IPv4 loopback",
    flags: ["--host", "localhost"],
    gives: { host: "127.0.0.1" },
  },
  { why: "--host ::1", flags: ["--host", "::1"], gives: { host: "::1" } },
  { why: "--data", flags: ["--data", "/somewhere"], gives: { dataFolder: "/somewhere" } },
  { why: "EPOCH_LAB_DATA", env: { EPOCH_LAB_DATA: "/there" }, gives: { dataFolder: "/there" } },
  {
    why: "--data counts for more",
    flags: ["--data", "/here"],
    env: { EPOCH_LAB_DATA: "/there" },
    gives: { dataFolder: "/here" },
  },
  {
    why: "the user's data folder, one for each port",
    env: { XDG_DATA_HOME: "/home/u/data", PORT: "5000" },
    gives: { dataFolder: "/home/u/data/epoch-lab/port-5000" },
  },
  { why: "EPOCH_LAB_LOG", env: { EPOCH_LAB_LOG: "silent" }, gives: { logLevel: "silent" } },
  { why: "--help counts for more than all else", flags: ["--help", "--nonsense"], gives: { kind: "help" } },
];

describe("parseConfig reads", () => {
  for (const row of rows)
    it(row.why, () => {
      expect(parseConfig(row.flags ?? [], row.env ?? {})).toMatchObject({ ok: true, value: row.gives });
    });

  it("and ignores an XDG folder that is relative, as the specification asks", () => {
    const config = parseConfig([], { XDG_DATA_HOME: "data" });
    expect(config.ok && config.value.kind === "serve" ? config.value.dataFolder : "").toMatch(
      /^\/.*\.local\/share\/epoch-lab\/port-4600$/,
    );
  });
});

interface Refusal {
  readonly why: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: readonly string[];
}

const refusals: readonly Refusal[] = [
  {
    why: "an unknown flag, with the list",
    flags: ["--prot", "5000"],
    says: ["got --prot", "--port PORT", "--data DIR"],
  },
  { why: "a short flag", flags: ["-p", "1"], says: ["got -p"] },
  { why: "a word", flags: ["5000"], says: ["flags only", '"5000"'] },
  { why: "--port without a value", flags: ["--port"], says: ["--port: expected a value"] },
  { why: "--port followed by a flag", flags: ["--port", "--dev"], says: ["--port: "] },
  { why: "--dev with a value", flags: ["--dev=yes"], says: ["--dev: expected no value"] },
  { why: "a port that is too large", flags: ["--port", "65536"], says: ["0 to 65535", '"65536"'] },
  { why: "a port that is no number", env: { PORT: "http" }, says: ["PORT: expected", '"http"'] },
  { why: "a negative port", flags: ["--port=-1"], says: ["0 to 65535"] },
  {
    why: "a host that others can reach",
    flags: ["--host", "0.0.0.0"],
    says: ["loopback", '"0.0.0.0"', "ssh -L"],
  },
  { why: "a host that is a word of JavaScript", flags: ["--host", "constructor"], says: ["loopback"] },
  {
    why: "an unknown level of logging",
    env: { EPOCH_LAB_LOG: "loud" },
    says: ["EPOCH_LAB_LOG", "silent, error"],
  },
  { why: "several things at once", flags: ["--host", "x", "--port", "y"], says: ["--host", "--port"] },
];

describe("parseConfig refuses", () => {
  for (const row of refusals)
    it(row.why, () => {
      const config = parseConfig(row.flags ?? [], row.env ?? {});
      const words = config.ok ? "accepted" : config.error.map(sentence).join("\n");
      for (const say of row.says) expect(words).toContain(say);
    });
});
