import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The end of a run of tests. */
export type TestRun =
  | {
      readonly passed: true;
      /** Milliseconds of the test that took longest. */
      readonly longest: number;
    }
  | {
      readonly passed: false;
      /** The first test that failed, or why there was none. */
      readonly by: string;
      /** Paths of all test files in which one failed. */
      readonly files: readonly string[];
    };

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly duration?: number | null;
    }[];
  }[];
}

/** Milliseconds after which tests are ended: what was mutated may never end. */
export interface TestLimits {
  /** For one test. */
  readonly test: number;
  /** For all tests of a run. */
  readonly run: number;
}

/** Limits where nothing is known about the tests. */
const usual: TestLimits = { test: 60_000, run: 900_000 };

/** The projects of vitest.config.ts that run on the sources. */
export type TestProject = "units" | "sources";

/**
 * Runs tests in the project in `root`, in one worker.
 *
 * @param bail Number of failed tests that end the run, by default the first.
 */
export async function runTests(
  root: string,
  project: TestProject,
  files: readonly string[],
  bail = 1,
  limits = usual,
): Promise<TestRun> {
  const report = join(root, ".mutant-report.json");
  rmSync(report, { force: true });
  const words = ["run", "--project", project, "--bail", String(bail), "--maxWorkers", "1", "--reporter", "json"];
  // A test waits for what comes within milliseconds where nothing is mutated.
  const patience = [
    // A mutation is noticed by the first failure.
    "--retry",
    "0",
    "--testTimeout",
    String(limits.test),
    "--hookTimeout",
    String(Math.max(limits.test, 20_000)),
    "--expect.poll.timeout",
    String(limits.test / 3),
  ];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, ...words, ...patience, "--outputFile", report, ...files], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    // Random values in their short form: most mutations are noticed by the first ones.
    env: { AGREEMENT_RUNS: "20", KEPT_VALUES: "300", ...process.env },
    // Ends with all processes that its tests began.
    detached: true,
  });
  const end = (): void => endGroup(child.pid);
  let errors = "";
  child.stderr.on("data", (chunk) => (errors = (errors + String(chunk)).slice(-4000)));
  const timer = setTimeout(end, limits.run);
  process.once("exit", end);
  try {
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    if (code === null) return { passed: false, by: "the tests did not end", files: [] };
    if (!existsSync(report)) return { passed: false, by: errors.trim().slice(0, 300), files: [] };
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    if (code === 0) return { passed: true, longest: longestOf(testResults) };
    return { passed: false, ...failures(root, testResults) };
  } finally {
    clearTimeout(timer);
    process.off("exit", end);
    // Tests that were cut short leave services behind.
    end();
  }
}

/** Ends the processes of a group; none is there where all have ended. */
function endGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, "SIGKILL");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
  }
}

function longestOf(results: Report["testResults"]): number {
  return Math.max(0, ...results.flatMap((file) => file.assertionResults.map(({ duration }) => duration ?? 0)));
}

function failures(root: string, testResults: Report["testResults"]) {
  const found = testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.slice(root.length + 1);
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed !== undefined) return [{ file, by: `${file}: ${failed.fullName}` }];
    return message === "" ? [] : [{ file, by: `${file} does not load` }];
  });
  return { by: found[0]?.by ?? "vitest, beside the tests", files: found.map(({ file }) => file) };
}
