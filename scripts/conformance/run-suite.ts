import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The measured revisions of MCP. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof revisions)[number];

/** The program of the suite. */
export const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** The suite's result for one scenario. */
export interface Scenario {
  readonly name: string;
  /** Reason why it is not scored: `extension`, `pending` …; absent when it is scored. */
  readonly unscored?: string;
  readonly passed: number;
  /** Failures, as text. */
  readonly failures: readonly string[];
  /** Recommendations of the suite, as text; not scored. */
  readonly warnings: readonly string[];
}

export interface SuiteRun {
  readonly revision: Revision;
  readonly scenarios: readonly Scenario[];
  /** True when the result equals the file of expected failures. */
  readonly asExpected: boolean;
  readonly output: string;
}

/** Path of a revision's file of expected failures, with reasons. */
export function expectedFailures(revision: Revision): string {
  return `test/conformance/expected-${revision}.yml`;
}

/** Runs the official suite's scenarios of one revision against a server. */
export async function runSuite(url: string, revision: Revision): Promise<SuiteRun> {
  const results = mkdtempSync(join(tmpdir(), "tenon-conformance-"));
  const words = ["server", "--url", url, "--requirements", revision];
  const child = spawn(
    process.execPath,
    [suite, ...words, "--expected-failures", expectedFailures(revision), "-o", results],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = (await once(child, "close")) as [number | null];
  const reasons = unscoredScenarios(revision);
  const scenarios = globSync(join(results, "*/checks.json")).map((file) => readScenario(file, reasons));
  rmSync(results, { recursive: true, force: true });
  if (scenarios.length === 0) throw new Error(`The suite measured nothing:\n${output}`);
  return { revision, scenarios: inOrder(scenarios, output), asExpected: status === 0, output };
}

/** Server scenarios of a revision that are run and not scored, with reasons. */
function unscoredScenarios(revision: Revision): ReadonlyMap<string, string> {
  const { stdout } = spawnSync(process.execPath, [suite, "list", "--requirements", revision], { encoding: "utf8" });
  const [, list = ""] = stdout.split("never scored:");
  const found = new Map<string, string>();
  let reason = "";
  for (const line of list.split("\n")) {
    reason = /^ {2}([a-z-]+) \(\d+\):$/.exec(line)?.[1] ?? reason;
    const name = /^ {4}- (\S+) \[server\]$/.exec(line)?.[1];
    if (name !== undefined) found.set(name, reason);
  }
  return found;
}

interface Check {
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

function readScenario(file: string, reasons: ReadonlyMap<string, string>): Scenario {
  const name = basename(dirname(file)).replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, "$1");
  const checks = JSON.parse(readFileSync(file, "utf8")) as readonly Check[];
  const unscored = reasons.get(name);
  return {
    name,
    ...(unscored !== undefined && { unscored }),
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    failures: problems(checks, "FAILURE"),
    warnings: problems(checks, "WARNING"),
  };
}

function problems(checks: readonly Check[], status: Check["status"]): readonly string[] {
  const found = checks.filter((check) => check.status === status);
  return found.map(({ name, errorMessage }) => `${status.toLowerCase()} ${name}: ${errorMessage ?? "no reason given"}`);
}

/** Sorts scenarios in the order of the suite. */
function inOrder(scenarios: readonly Scenario[], output: string): readonly Scenario[] {
  const place = (name: string): number => output.search(new RegExp(`^[✓✗] ${name}: `, "m"));
  return scenarios.toSorted((one, other) => place(one.name) - place(other.name));
}
