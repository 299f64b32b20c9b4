// `npm run oracle -- SCHEDULES... TRANSCRIPTS`: see command.ts.
import { compareOracle } from "./command.ts";

process.exitCode = compareOracle(process.argv.slice(2), { say: console.log, complain: console.error });
