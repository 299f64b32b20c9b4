// The port that was free a moment ago and is taken now. Needs the real servers, as start.cluster.test.ts does.
import { createServer } from "node:net";
import { afterAll, describe, expect, it, vi } from "vitest";
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

describe.skipIf(reason !== undefined)("a cluster whose port was taken meanwhile", () => {
  const rows = [
    { why: "begins again when it was the API server's", takenAt: [2] },
    { why: "begins again when it was etcd's, twice", takenAt: [1, 0] },
  ] as const;
  for (const row of rows) {
    it(
      row.why,
      async () => {
        if (!taken.listening) await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
        asked = 0;
        takenAt = row.takenAt;
        const cluster = await startCluster();
        await cluster.stop();
        expect(asked).toBe(row.takenAt.length + 1);
      },
      90_000,
    );
  }

  it("gives up the third time", async () => {
    if (!taken.listening) await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    asked = 0;
    takenAt = [1, 1, 1];
    await expect(startCluster()).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringContaining("address already in use"),
    });
    expect(asked).toBe(3);
  }, 90_000);
});
