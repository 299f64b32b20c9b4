// The catalogue on a real API server: every scenario's verdicts come out as claimed, and the register predicts every call.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../server/cluster/connect.ts";
import { createRuns, type ClusterRuns } from "../../server/cluster/runs.ts";
import { whyNoServer } from "../cluster/binaries.ts";
import { startCluster, type Cluster } from "../cluster/start.ts";
import { verifiable, verifyScenario } from "./verify.ts";

const reason = await whyNoServer();
if (reason !== undefined) console.warn(`Skipped: no API server can be had. ${reason}`);

describe.skipIf(reason !== undefined)("on a real API server", () => {
  let cluster: Cluster;
  let runs: ClusterRuns;
  beforeAll(async () => {
    cluster = await startCluster({});
    runs = createRuns(
      await connect({
        kind: "kubeconfig",
        kubeconfig: cluster.kubeconfigs.lab,
        context: null,
        namespace: cluster.namespace,
      }),
      () => Date.now(),
    );
  }, 600_000);
  afterAll(async () => {
    await runs.close();
    await cluster.stop();
  });

  for (const id of verifiable())
    it(id, async () => {
      const { problems } = await verifyScenario(runs, id);
      expect(problems).toEqual([]);
    });

  it("leaves no Lease behind", async () => {
    expect(await runs.leftovers()).toEqual([]);
  });
});
