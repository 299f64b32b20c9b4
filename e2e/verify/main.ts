// `npm run cluster:verify`: plays the catalogue on a real API server and prints one line a scenario.
import { connect } from "../../server/cluster/connect.ts";
import { createRuns } from "../../server/cluster/runs.ts";
import { whyNoServer } from "../cluster/binaries.ts";
import { startCluster } from "../cluster/start.ts";
import { verifiable, verifyScenario } from "./verify.ts";

const reason = await whyNoServer();
if (reason !== undefined) {
  console.log(`Skipped: no API server can be had. ${reason}`);
  process.exit(0);
}
const cluster = await startCluster({});
let failed = 0;
try {
  const connection = await connect({
    kind: "kubeconfig",
    kubeconfig: cluster.kubeconfigs.lab,
    context: null,
    namespace: cluster.namespace,
  });
  const runs = createRuns(connection, () => Date.now());
  for (const id of verifiable()) {
    const { calls, ms, problems } = await verifyScenario(runs, id);
    console.log(
      `${problems.length === 0 ? "ok  " : "FAIL"} ${id.padEnd(28)} ${String(calls).padStart(4)} calls ${String(ms).padStart(6)} ms`,
    );
    for (const problem of problems) console.log(`     ${problem}`);
    if (problems.length > 0) failed += 1;
  }
  await runs.close();
} finally {
  await cluster.stop();
}
console.log(failed === 0 ? "Model and server agree." : `${failed} scenarios differ.`);
process.exit(failed === 0 ? 0 : 1);
