import { defineConfig } from "vitest/config";

const exclude = ["test/fixtures/**", "**/node_modules/**"];
/** Tests that need the built package as a user has it; the others run on the sources. */
const packed = ["test/package/**/*.test.ts", "test/bundlers/**/*.test.ts", "test/examples/**/*.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Many tests wait for processes that they started; one worker a core keeps both busy.
    maxWorkers: 2,
    projects: [
      "examples/*/vitest.config.ts",
      { extends: true, test: { name: "sources", include: ["test/**/*.test.ts"], exclude: [...exclude, ...packed] } },
      { extends: true, test: { name: "packed", include: packed, exclude, globalSetup: ["test/support/pack.ts"] } },
    ],
  },
});
