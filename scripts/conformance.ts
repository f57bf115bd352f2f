/**
 * `npm run conformance`: builds the fixture service, runs the official MCP conformance suite against it for both
 * revisions, and its scenarios of clients against ours, and writes the tables of README and docs/conformance.md. Prints
 * one line of scores, and exits with 1 when a result is not the expected one. `--check` writes nothing; `--record FILE`
 * keeps the suite's requests, for the test that answers them in two ways.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildFixture, startFixture } from "./conformance/fixture-service.ts";
import { runClientSuite } from "./conformance/client-suite.ts";
import { clientTable, lastLine, scenarioTables, scoresOf, scoreTable } from "./conformance/report.ts";
import { startRecorder } from "./conformance/record-messages.ts";
import { expectedFailures, revisions, runSuite, type SuiteRun } from "./conformance/run-suite.ts";
import { wrapProse } from "./docs/wrap-prose.ts";

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, record: { type: "string" } },
});
buildFixture();
const service = await startFixture();
const recorder = values.record === undefined ? undefined : await startRecorder(service.url);
const runs: SuiteRun[] = [];
try {
  const started = revisions.map((revision) => () => runSuite(recorder?.url ?? service.url, revision));
  // The suite mostly waits, so revisions run in parallel. A recording needs one revision after the other.
  if (recorder === undefined) runs.push(...(await Promise.all(started.map((run) => run()))));
  else for (const run of started) runs.push(await run());
} finally {
  if (values.record !== undefined && recorder !== undefined)
    writeFileSync(values.record, `${JSON.stringify(recorder.messages, null, 1)}\n`);
  await recorder?.stop();
  await service.stop();
}
for (const { revision, scenarios, asExpected, output } of runs) {
  for (const { name, failures, warnings } of scenarios) {
    for (const problem of [...failures, ...warnings]) console.log(`${revision} ${name}: ${problem}`);
  }
  if (!asExpected) {
    console.log(
      `${revision}: the result is not the one of ${expectedFailures(revision)}.\n${output.slice(output.lastIndexOf("Total:"))}`,
    );
    process.exitCode = 1;
  }
}
const ofClient = values.record === undefined ? await runClientSuite() : [];
for (const { name, revision, problems } of ofClient) {
  for (const problem of problems) console.log(`${revision} client ${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
if (!values.check) {
  const readme = readFileSync("README.md", "utf8");
  const section = /(<!-- conformance -->\n)[\s\S]*?(<!-- \/conformance -->)/;
  writeFileSync(
    "README.md",
    readme.replace(section, (_, start: string, end: string) => `${start}${scoreTable(runs)}\n${end}`),
  );
  writeFileSync("docs/conformance.md", wrapProse(page(runs)));
}
const [newest, oldest] = runs.map(scoresOf);
if (newest !== undefined && oldest !== undefined) console.log(lastLine(newest, oldest));

function page(all: readonly SuiteRun[]): string {
  return `<!-- Made by \`npm run conformance\`. Do not edit. -->

# MCP conformance

Results of the official suite (\`@modelcontextprotocol/conformance\`, pinned) for the service in [test/fixtures/conformance](../test/fixtures/conformance), whose tools,
prompts and resources are plain functions. Failing scenarios, with reasons: [2026-07-28](../test/conformance/expected-2026-07-28.yml), [2025-11-25](../test/conformance/expected-2025-11-25.yml).
\`npm run conformance\` repeats it; \`npm run conformance:serve -- --port N\` serves the fixture alone.

${scenarioTables(all)}

## The client

\`mcpTransport\` of [\`tenon/client/mcp\`](clients.md#over-mcp), in the scenarios for clients that concern tools, prompts, resources and questions:

${clientTable(ofClient)}
`;
}
