// The model against the server: random requests must come to the same on both. Skipped with a printed
// reason where there is no server. RANDOM_SEED and RANDOM_RUNS ask for other requests, and for more:
// `RANDOM_SEED=1 RANDOM_RUNS=1000 npx vitest run e2e/register/random`.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryRegister } from "../../shared/protocol/lease/contract/memory.ts";
import { obtainBinaries, whyNoServer } from "../cluster/binaries.ts";
import { createProgressPrinter } from "../cluster/progress.ts";
import { startCluster, type Cluster } from "../cluster/start.ts";
import { playRandom, randomRequest } from "./random.ts";
import { createServerRegister, type ServerRegister } from "./serverRegister.ts";

const BUILD_MS = 20 * 60_000;
const START_MS = 90_000;
const RUN_MS = 300_000;

const reason = await whyNoServer();
if (reason !== undefined)
  console.warn(`Skipped, since it needs a real API server: random requests. ${reason}`);

describe.skipIf(reason !== undefined)("random requests, in memory and on a real API server", () => {
  let cluster: Cluster;
  let server: ServerRegister;

  beforeAll(async () => {
    await obtainBinaries({ report: createProgressPrinter(process.stderr) });
  }, BUILD_MS);
  beforeAll(async () => {
    cluster = await startCluster();
    server = await createServerRegister(cluster);
  }, START_MS);
  afterAll(async () => {
    server?.close();
    await cluster?.stop();
  });

  it(
    "come to the same",
    async () => {
      const memory = createMemoryRegister();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(randomRequest, { minLength: 1, maxLength: 12 }), async (requests) => {
          const name = `random-${run++}`;
          const inMemory = await playRandom(memory, requests, name);
          expect(inMemory).toEqual(await playRandom(server, requests, name));
        }),
        { seed: Number(process.env["RANDOM_SEED"] ?? 7), numRuns: Number(process.env["RANDOM_RUNS"] ?? 80) },
      );
    },
    RUN_MS,
  );
});
