// Builds web/ to dist/web, and runs the unit tests of the whole tree.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: "web",
  publicDir: "../public",
  plugins: [react()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // A strict CSP allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  test: {
    root: ".",
    include: ["{shared,server,web,e2e}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "dist/**", ".tsc/**"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
