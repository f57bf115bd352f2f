import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { revisions, suite, type Revision } from "./run-suite.ts";

/** The suite's result for one scenario of a client. */
export interface ClientScenario {
  readonly name: string;
  readonly revision: Revision;
  /** Number of checks that passed. */
  readonly passed: number;
  /** The suite's own words; empty when all passed. */
  readonly problems: readonly string[];
}

/** Scenarios that are not measured, with the reason. */
export const outside: readonly { readonly names: RegExp; readonly text: string; readonly reason: string }[] = [
  {
    names: /^auth\//,
    text: "`auth/*`",
    reason: "the client takes an access token from a function, and does not get one for itself",
  },
  {
    names: /^sep-2640-/,
    text: "`sep-2640-*`",
    reason: "agent skills, an extension beside tools, prompts and resources",
  },
];

/** Runs every scenario of the official suite that concerns our client, in each revision that it has. */
export async function runClientSuite(): Promise<readonly ClientScenario[]> {
  const { stdout } = spawnSync(process.execPath, [suite, "list", "--client"], { encoding: "utf8" });
  const all = [...stdout.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = "", of = ""]) => ({ name, of }));
  if (all.length === 0) throw new Error(`The suite lists no scenarios of clients:\n${stdout}`);
  const measured = all.filter(({ name }) => !outside.some(({ names }) => names.test(name)));
  const runs = revisions.flatMap((revision) =>
    measured.filter(({ of }) => of.includes(revision)).map(({ name }) => ({ name, revision })),
  );
  const results: ClientScenario[] = [];
  for (const { name, revision } of runs) results.push(await runScenario(name, revision));
  return results;
}

async function runScenario(name: string, revision: Revision): Promise<ClientScenario> {
  const command = `${process.execPath} scripts/conformance/client-process.ts`;
  const words = ["client", "--command", command, "--scenario", name, "--spec-version", revision];
  const child = spawn(process.execPath, [suite, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = (await once(child, "close")) as [number | null];
  const passed = Number(/^Passed: (\d+)\//m.exec(output)?.[1] ?? 0);
  if (status === 0 && passed > 0) return { name, revision, passed, problems: [] };
  const problems = output.split("\n").filter((line) => /FAILURE|Error:/.test(line));
  return { name, revision, passed, problems: problems.length === 0 ? [output] : problems };
}
