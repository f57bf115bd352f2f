import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, inject, it, vi } from "vitest";
import { launchEntry } from "../support/launch.ts";
import type { EndedProcess } from "../support/launch.ts";
import { answers, startOtlpSink } from "../support/otlp-sink.ts";

const entry = join(inject("bundledServices"), "telemetry.js");

/** Milliseconds that exporters wait for the collector: whatever waited with them would outlast the test's own limit. */
const exportPatience = 600_000;
// Eight services start side by side, on whatever machine this is.
vi.setConfig({ testTimeout: 120_000 });

/** Runs some jobs against a collector, then stops. */
async function runAgainst(endpoint: string): Promise<EndedProcess> {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: String(exportPatience),
    TENON_ALLOWED_HOSTS: "localhost",
  };
  const service = await launchEntry(entry, [], env).listening;
  for (let count = 0; count < 20; count++) expect((await service.post({ mode: "log" })).status).toBe(200);
  return service.stop();
}

it.concurrent.each(Object.keys(answers) as (keyof typeof answers)[])(
  "a collector whose answer is: %s",
  async (name) => {
    const sink = await startOtlpSink(answers[name]);
    const { code, stderr } = await runAgainst(sink.url);
    await sink.close();
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/Unhandled|unhandled|uncaught|\n {4}at /);
  },
);

it.concurrent("no collector at all", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { code, stderr } = await runAgainst(`http://127.0.0.1:${port}`);
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/unhandled/i);
});

it.concurrent("a refusal is told once per signal, without what the collector said", async () => {
  const sink = await startOtlpSink((response) => response.writeHead(401).end("collector's own words"));
  const { stderr } = await runAgainst(sink.url);
  await sink.close();
  const warnings = stderr
    .split("\n")
    .filter((line) => line.includes("telemetry: "))
    .map((line) => String(JSON.parse(line).msg));
  expect(warnings.map((text) => text.replace(/\d+ (?=spans|log|metrics)/, "N ")).toSorted()).toEqual([
    `telemetry: N log records did not arrive at ${sink.url}/v1/logs (status 401)`,
    `telemetry: N metrics did not arrive at ${sink.url}/v1/metrics (status 401)`,
    `telemetry: N spans did not arrive at ${sink.url}/v1/traces (status 401)`,
  ]);
  expect(stderr).not.toContain("own words");
});
