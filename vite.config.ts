// Builds web/ to dist/web, serves it with hot reload in development, and runs the unit tests of the whole tree.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: "web",
  publicDir: "../public",
  cacheDir: "../node_modules/.vite",
  plugins: [react()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    // The page's policy allows neither inline scripts nor data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  test: {
    root: import.meta.dirname,
    include: ["{shared,server,web,e2e}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**"],
    allowOnly: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
