import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttp2Server } from "node:http2";
import { createServer as createSecureServer } from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { expect, inject, it, vi } from "vitest";
import { launchEntry, type EndedProcess } from "../support/launch.ts";
import { answers, startOtlpSink } from "../support/otlp-sink.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const entry = join(inject("bundledServices"), "telemetry.js");

/** Milliseconds that exporters wait for the collector: whatever waited with them would outlast the test's own limit. */
const exportPatience = 600_000;
// Eight services start side by side, on whatever machine this is.
vi.setConfig({ testTimeout: 120_000 });

/** Milliseconds between SIGTERM and the end, at most: 2 s for telemetry, and the rest for a busy machine. */
const longestEnd = 30_000;

/** Runs some jobs against a collector, then stops. */
async function runAgainst(endpoint: string, more: Readonly<Record<string, string>> = {}): Promise<EndedProcess> {
  const env = {
    ...more,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: String(exportPatience),
    TENON_ALLOWED_HOSTS: "localhost",
  };
  const service = await launchEntry(entry, [], env).listening;
  for (let count = 0; count < 20; count++) expect((await service.post({ mode: "log" })).status).toBe(200);
  const asked = performance.now();
  const ended = await service.stop();
  expect(performance.now() - asked).toBeLessThan(longestEnd);
  return ended;
}

/** Warnings about telemetry that is lost. */
function warningsIn({ stderr }: EndedProcess): readonly string[] {
  return stderr
    .split("\n")
    .filter((line) => line.includes("telemetry: "))
    .map((line) => String(JSON.parse(line).msg));
}

/** A line for each signal at most while it runs, and lines at the end for what did not arrive since. */
function expectFewWarnings(ended: EndedProcess): void {
  expect(ended.stderr).not.toMatch(/Unhandled|unhandled|uncaught|\n {4}at /);
  const warnings = warningsIn(ended);
  expect(warnings.length).toBeGreaterThan(0);
  for (const signal of ["/v1/traces", "/v1/metrics", "/v1/logs"])
    expect(warnings.filter((text) => text.includes(signal)).length).toBeLessThanOrEqual(2);
  expect(warnings.filter((text) => text.includes("of the last seconds")).length).toBeLessThanOrEqual(1);
  expect(warnings.length).toBeLessThanOrEqual(7);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Collectors that fail in ways of their own, by the scheme of their address. */
const troubles: Readonly<Record<string, () => Promise<{ readonly url: string; close(): unknown }>>> = {
  async "answers after ten seconds"() {
    const sink = await startOtlpSink(
      (response) => void setTimeout(() => response.writeHead(200).end(), 10_000).unref(),
    );
    return sink;
  },
  async "answers 503 and to come again in ten minutes"() {
    return startOtlpSink((response) => response.writeHead(503, { "retry-after": "600" }).end());
  },
  async "says nothing"() {
    const server = createServer((socket) => void socket.on("error", () => {}));
    return { url: `http://127.0.0.1:${await listen(server)}`, close: () => server.close() };
  },
  async "talks garbage"() {
    const server = createServer(
      (socket) => void socket.on("error", () => {}).end("\u0000\u0001 not a protocol\r\n\r\n"),
    );
    return { url: `http://127.0.0.1:${await listen(server)}`, close: () => server.close() };
  },
};

it.concurrent.each(
  ["http/protobuf", "http/json", "grpc"].flatMap((protocol) =>
    Object.keys(troubles).map((trouble) => [protocol, trouble] as const),
  ),
)("%s, a collector that %s: jobs run, few lines, a quick end", async (protocol, trouble) => {
  const collector = await troubles[trouble]?.();
  const ended = await runAgainst(collector?.url ?? "", { OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
  expect(ended.code).toBe(0);
  expectFewWarnings(ended);
  await collector?.close();
});

it.concurrent("gRPC, a collector that is unavailable", async () => {
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "14" }, { endStream: true });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ended = await runAgainst(endpoint, { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
  expect(ended.code).toBe(0);
  expectFewWarnings(ended);
  server.close();
});

it.concurrent.each(["http/protobuf", "http/json", "grpc"])(
  "%s, a collector whose certificate nobody vouches for",
  async (protocol) => {
    const folder = temporaryFolder();
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=x -keyout ${key} -out ${cert}`;
    expect(spawnSync("openssl", words.split(" ")).status).toBe(0);
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) });
    const endpoint = `https://127.0.0.1:${await listen(server)}`;
    const ended = await runAgainst(endpoint, { OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
    expect(ended.code).toBe(0);
    expectFewWarnings(ended);
    server.close();
  },
);

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
