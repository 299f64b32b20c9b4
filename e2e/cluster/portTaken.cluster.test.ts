// The port that was free a moment ago and is taken now. Needs the real servers, as start.cluster.test.ts does.
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { whyNoServer } from "./binaries.ts";
import { startCluster } from "./start.ts";

const taken = createServer();
afterAll(() => taken.close());
let asked = 0;

/** Which of the three ports is the taken one, in each attempt. */
let takenAt: readonly number[] = [];

vi.mock(import("./ports.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    findFreePorts: async (count) => {
      const ports = await original.findFreePorts(count);
      const address = taken.address();
      const index = takenAt[asked++];
      if (address === null || typeof address === "string") return ports;
      return ports.map((port, at) => (at === index ? address.port : port));
    },
  };
});

const reason = await whyNoServer();
if (reason !== undefined) console.warn(`Skipped, since they need a real API server: e2e/cluster. ${reason}`);

describe.skipIf(reason !== undefined)("a cluster whose port was taken meanwhile", () => {
  beforeAll(() => new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve)));

  it("begins again, whether it was the API server's or etcd's", async () => {
    asked = 0;
    takenAt = [2, 1];
    const cluster = await startCluster();
    await cluster.stop();
    expect(asked).toBe(3);
  }, 90_000);

  it("gives up the third time", async () => {
    asked = 0;
    takenAt = [1, 1, 1];
    await expect(startCluster()).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringContaining("address already in use"),
    });
    expect(asked).toBe(3);
  }, 90_000);
});
