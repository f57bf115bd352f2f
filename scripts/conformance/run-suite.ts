import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The revisions of MCP that are measured. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof revisions)[number];

/** What the suite found in one scenario. */
export interface Scenario {
  readonly name: string;
  /** Why it counts for no score: `extension`, `pending` …; absent when it is scored. */
  readonly unscored?: string;
  readonly passed: number;
  /** Failures and warnings, as text. */
  readonly problems: readonly string[];
}

export interface SuiteRun {
  readonly revision: Revision;
  readonly scenarios: readonly Scenario[];
  /** Agrees with the file of expected failures: nothing else failed, and everything in it did. */
  readonly asExpected: boolean;
  readonly output: string;
}

/** File of a revision that says which scenarios fail, and why. */
export function expectedFailures(revision: Revision): string {
  return `test/conformance/expected-${revision}.yml`;
}

/** Runs the official suite's scenarios of one revision against a server. */
export async function runSuite(url: string, revision: Revision): Promise<SuiteRun> {
  const results = mkdtempSync(join(tmpdir(), "tenon-conformance-"));
  const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  const words = ["server", "--url", url, "--requirements", revision];
  const child = spawn(
    process.execPath,
    [suite, ...words, "--expected-failures", expectedFailures(revision), "-o", results],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = (await once(child, "close")) as [number | null];
  const reasons = new Map([...output.matchAll(/^ {2}[✓✗] (\S+) \(([a-z-]+)\)$/gm)].map(([, name, why]) => [name, why]));
  const scenarios = globSync(join(results, "*/checks.json")).map((file) => readScenario(file, reasons));
  rmSync(results, { recursive: true, force: true });
  if (scenarios.length === 0) throw new Error(`The suite measured nothing:\n${output}`);
  return { revision, scenarios: inOrder(scenarios, output), asExpected: status === 0, output };
}

interface Check {
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

function readScenario(file: string, reasons: ReadonlyMap<string | undefined, string | undefined>): Scenario {
  const name = basename(dirname(file)).replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, "$1");
  const checks = JSON.parse(readFileSync(file, "utf8")) as readonly Check[];
  const unscored = reasons.get(name);
  return {
    name,
    ...(unscored !== undefined && { unscored }),
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    problems: checks
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map((check) => `${check.status.toLowerCase()} ${check.name}: ${check.errorMessage ?? "no reason given"}`),
  };
}

/** As the suite lists them. */
function inOrder(scenarios: readonly Scenario[], output: string): readonly Scenario[] {
  const place = (name: string): number => output.search(new RegExp(`^[✓✗] ${name}: `, "m"));
  return scenarios.toSorted((one, other) => place(one.name) - place(other.name));
}
