import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launchEntry } from "../support/launch.ts";
import type { EndedProcess } from "../support/launch.ts";
import { answers, startOtlpSink } from "../support/otlp-sink.ts";

const entry = join(import.meta.dirname, "../support/services/telemetry.ts");
/** Milliseconds that the end may take beside the two seconds for telemetry; an idle service needs a tenth of it. */
const usualEnd = 1000;

/** Runs some jobs against a collector, then stops. */
async function runAgainst(
  endpoint: string,
): Promise<EndedProcess & { readonly slowest: number; readonly end: number }> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TENON_ALLOWED_HOSTS: "localhost" };
  const service = await launchEntry(entry, [], env).listening;
  await service.post({});
  let slowest = 0;
  for (let count = 0; count < 20; count++) {
    const before = performance.now();
    expect((await service.post({ mode: "log" })).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - before);
  }
  const before = performance.now();
  const ended = await service.stop();
  return { ...ended, slowest, end: performance.now() - before };
}

it.concurrent.each(Object.keys(answers) as (keyof typeof answers)[])(
  "a collector whose answer is: %s",
  async (name) => {
    const sink = await startOtlpSink(answers[name]);
    const { code, stderr, slowest, end } = await runAgainst(sink.url);
    await sink.close();
    expect(code).toBe(0);
    expect(slowest).toBeLessThan(500);
    expect(end).toBeLessThan(2000 + usualEnd);
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
  const { code, stderr, slowest, end } = await runAgainst(`http://127.0.0.1:${port}`);
  expect([code, slowest < 500, end < 2000 + usualEnd]).toEqual([0, true, true]);
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
