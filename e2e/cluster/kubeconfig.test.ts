import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { renderKubeconfig, writeKubeconfig } from "./kubeconfig.ts";

const content = {
  server: "https://127.0.0.1:40001",
  certificateAuthority: "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n",
  namespace: "epoch-lab",
  user: "lab",
  token: "t-o_k: 'e' \"n\"",
};

describe("renderKubeconfig", () => {
  it("is YAML that says all of it, with verification on", () => {
    expect(parse(renderKubeconfig(content))).toEqual({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "lab@epoch-lab-throwaway",
      clusters: [
        {
          name: "epoch-lab-throwaway",
          cluster: {
            server: content.server,
            "certificate-authority-data": Buffer.from(content.certificateAuthority).toString("base64"),
          },
        },
      ],
      contexts: [
        {
          name: "lab@epoch-lab-throwaway",
          context: { cluster: "epoch-lab-throwaway", namespace: "epoch-lab", user: "lab" },
        },
      ],
      users: [{ name: "lab", user: { token: content.token } }],
    });
  });
});

describe("writeKubeconfig", () => {
  it("lets only its owner read it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "epoch-lab-test-"));
    await writeKubeconfig(join(folder, "kubeconfig"), content);
    expect(statSync(join(folder, "kubeconfig")).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });
});
