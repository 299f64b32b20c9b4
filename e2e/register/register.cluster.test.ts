// The register's contract, played against a real API server. Where there is none to be had it is skipped,
// and the reason is printed.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsFor } from "../../shared/protocol/lease/contract/contract.ts";
import { playRow } from "../../shared/protocol/lease/contract/run.ts";
import { obtainBinaries, whyNoServer } from "../cluster/binaries.ts";
import { createProgressPrinter } from "../cluster/progress.ts";
import { startCluster, type Cluster } from "../cluster/start.ts";
import { createServerRegister, type ServerRegister } from "./serverRegister.ts";

/** A first build on a slow machine. */
const BUILD_MS = 20 * 60_000;
const START_MS = 90_000;
const ROW_MS = 60_000;

const reason = await whyNoServer();
if (reason !== undefined)
  console.warn(`Skipped, since it needs a real API server: the register's contract. ${reason}`);

describe.skipIf(reason !== undefined)("a real API server keeps the contract", () => {
  let cluster: Cluster;
  let register: ServerRegister;

  beforeAll(async () => {
    await obtainBinaries({ report: createProgressPrinter(process.stderr) });
  }, BUILD_MS);
  beforeAll(async () => {
    cluster = await startCluster();
    register = await createServerRegister(cluster);
  }, START_MS);
  afterAll(async () => {
    register?.close();
    await cluster?.stop();
  });

  // Every row has a Lease of its own, so rows need not wait for each other.
  for (const [index, row] of rowsFor("server").entries())
    it.concurrent(
      row.why,
      async () => expect(await playRow(register, row, `contract-${index}`)).toEqual([]),
      ROW_MS,
    );
});
