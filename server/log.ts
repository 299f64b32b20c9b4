// The log: JSON lines on standard error, which leaves standard output to the one line with the address.
import { pino, destination, type Logger } from "pino";
import type { LogLevel } from "./config.ts";

export type Log = Pick<Logger, "error" | "warn" | "info">;

/** `EPOCH_LAB_LOG` chooses the level; default `warn`. */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: null }, destination({ dest: 2, sync: true }));
}
