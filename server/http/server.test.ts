// Nobody who comes while the lab starts is left waiting.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { answerWhileStarting, createHttpServer } from "./server.ts";

it("a request that comes before the app is told to try again", async () => {
  const server = createHttpServer(DEFAULT_LIMITS);
  server.on("request", answerWhileStarting);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const answers = await Promise.all(
      ["/", "/api/sessions", "/health"].map((path) => fetch(`http://127.0.0.1:${port}${path}`)),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toMatchObject({ title: "The lab is starting" });
    }
  } finally {
    server.close();
  }
});
