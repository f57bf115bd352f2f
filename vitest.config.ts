import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { SecondTries } from "./test/support/second-tries.ts";
import { temporaryInMemory } from "./test/support/temporary-in-memory.ts";

temporaryInMemory();

const exclude = ["test/fixtures/**", "**/node_modules/**"];
/** Tests that need the built package as a user has it; the others run on the sources. */
const packed = [
  "test/package/**/*.test.ts",
  "test/bundlers/**/*.test.ts",
  "test/examples/**/*.test.ts",
  "test/promises/*.test.ts",
];
// Of a run, as services in temporary folders would fill a lasting one.
const compiled = join(tmpdir(), `tenon-compiled-${process.pid}`);

const patience = {
  // They only end what hangs: everything is slow on a busy machine, and a poll ends as soon as its condition holds.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  // Thousands of tests of processes, browsers and databases share two cores. What passes in its second try is listed.
  retry: 1,
};

const workers = {
  // Many tests wait for processes that they started, so that two cores are busy with five workers.
  maxWorkers: 5,
  // The compiler, the bundlers and the runtime are loaded once a worker, not once a file.
  isolate: false,
  // The cores are busy with other workers: threads of V8 beside each only take turns with them, for a tenth of its time.
  execArgv: ["--v8-pool-size=1"],
};

export default defineConfig({
  test: {
    ...patience,
    ...workers,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new SecondTries()],
    setupFiles: ["test/support/end-of-file.ts"],
    // Bundlers in workers ask for no huge pages, as in the command line (cli/main.ts).
    env: { NODE_COMPILE_CACHE: compiled, MIMALLOC_ALLOW_THP: "0" },
    globalSetup: ["test/support/compile-cache.ts"],
    projects: [
      // Each by its own configuration, as its author runs it.
      ...globSync("examples/*/vitest.config.ts").map((file) => ({
        extends: file,
        root: dirname(file),
        test: { name: basename(dirname(file)), ...workers, ...patience },
      })),
      { extends: true, test: { name: "units", include: ["test/unit/**/*.test.ts"], exclude } },
      {
        extends: true,
        test: {
          name: "sources",
          include: ["test/**/*.test.ts"],
          exclude: [...exclude, ...packed, "test/unit/**"],
          globalSetup: ["test/support/bundle-services.ts"],
        },
      },
      { extends: true, test: { name: "packed", include: packed, exclude, globalSetup: ["test/support/pack.ts"] } },
    ],
  },
});
