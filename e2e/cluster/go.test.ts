import { describe, expect, it } from "vitest";
import { judgeGo } from "./go.ts";

const rows = [
  { why: "takes the version that is asked for", version: "go1.26.0", toolchain: "local", usable: true },
  { why: "compares numbers and not letters", version: "go1.100.0", toolchain: "local", usable: true },
  { why: "takes a newer patch", version: "go1.26.8", toolchain: "local", usable: true },
  { why: "refuses an older one that may not fetch", version: "go1.25.9", toolchain: "local", usable: false },
  { why: "takes an older one that fetches the newer", version: "go1.21.0", toolchain: "auto", usable: true },
  { why: "reads the suffix of GOTOOLCHAIN", version: "go1.25.0", toolchain: "go1.25.0+auto", usable: true },
  { why: "refuses a fixed toolchain", version: "go1.25.0", toolchain: "go1.25.0", usable: false },
  { why: "refuses one from before toolchains", version: "go1.20.4", toolchain: "auto", usable: false },
  {
    why: "reads a build of a distribution",
    version: "go1.26.1-X:nodwarf5",
    toolchain: "local",
    usable: true,
  },
] as const;

describe("judgeGo, for a module that asks for 1.26.0", () => {
  for (const row of rows) {
    it(row.why, () => {
      expect(judgeGo({ version: row.version, toolchain: row.toolchain }, "1.26.0").kind).toBe(
        row.usable ? "usable" : "unusable",
      );
    });
  }

  it("says which setting forbids a newer one", () => {
    expect(judgeGo({ version: "go1.25.0", toolchain: "local" }, "1.26.0")).toEqual({
      kind: "unusable",
      problem: "Go is 1.25.0 and GOTOOLCHAIN=local forbids fetching another, where 1.26.0 is needed",
    });
  });
});
