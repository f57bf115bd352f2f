import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import type { ScheduleDefinition } from "../../runtime/contract/contract.ts";
import { limitsOf } from "../../runtime/job/limits/limits-of.ts";
import { Service } from "../../runtime/service/service.ts";
import { clearRegistry, defineTool } from "../../runtime/service/tools/registry.ts";
import {
  createFetchHandler,
  type FetchHandler,
  type FetchHandlerOptions,
} from "../../runtime/start/create-fetch-handler.ts";
import { registerMcp } from "../../runtime/start/register-mcp.ts";
import { flushLogs, loggingInit } from "../../runtime/telemetry/log/logging.ts";
import { fakeSidecar } from "../support/fake-sidecar.ts";
import { fakeTool } from "../support/fake-tool.ts";
import { launchEntry } from "../support/launch.ts";

const entry = join(inject("bundledServices"), "telemetry.js");
const auth = { issuer: "https://login.example.org", audience: "https://tools.example.org/mcp" };
const asked = { OTEL_METRICS_EXPORTER: "prometheus" };
const counted = /^platform_jobs_total\{.*ok="true".*\} 1$/m;

const ended: (() => Promise<unknown>)[] = [];
let lines: string[] = [];
beforeEach(() => {
  lines = [];
  loggingInit({ write: (line) => lines.push(line) });
  const { definition, functions } = fakeTool(() => 1, { name: "one", path: "/tool/one", request: {} });
  defineTool(definition, functions);
});
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
  vi.unstubAllEnvs();
  loggingInit({ write: () => {} });
  clearRegistry();
});

function handler(options: FetchHandlerOptions = {}): FetchHandler {
  const made = createFetchHandler(new Service({ name: "Test", version: "1" }), options);
  ended.push(made.stop);
  return made;
}

const json = { "content-type": "application/json" };
const get = (path: string, method = "GET"): Request => new Request(`http://localhost${path}`, { method });
const post = (path: string): Request =>
  new Request(`http://localhost${path}`, { method: "POST", headers: json, body: "{}" });

test("createFetchHandler: /metrics below its base path, and only when asked for", async () => {
  expect((await handler()(get("/metrics"))).status).toBe(404);
  vi.stubEnv("OTEL_METRICS_EXPORTER", "prometheus");
  const ask = handler({ basePath: "/api" });
  expect((await ask(post("/api/tool/one"))).status).toBe(200);
  const answer = await ask(get("/api/metrics"));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(await answer.text()).toMatch(counted);
  const wrong = await ask(get("/api/metrics", "POST"));
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("the figures of GET /queue are gauges, by service and tool", async () => {
  vi.stubEnv("OTEL_METRICS_EXPORTER", "prometheus");
  const { promise, resolve } = Promise.withResolvers<void>();
  ended.push(async () => resolve());
  const slow = fakeTool(() => promise, { name: "slow", path: "/tool/slow", request: {}, resultKind: "none" });
  defineTool(slow.definition, slow.functions);
  const ask = handler();
  const deferred = new Request(post("/tool/slow"), { headers: { ...json, prefer: "wait=0" } });
  expect((await ask(deferred)).status).toBe(202);
  const text = await (await ask(get("/metrics"))).text();
  const figures = { waiting: 0, running: 1, dead: 0, oldest_waiting_seconds: 0 };
  for (const [name, value] of Object.entries(figures)) {
    const line = String.raw`^platform_jobs_${name}\{(?=.*service="test")(?=.*tool="slow").*\} ${value}$`;
    expect(text).toMatch(new RegExp(line, "m"));
  }
});

test("jobs that wait for their turn, and firings that are late, are gauges", async () => {
  vi.stubEnv("OTEL_METRICS_EXPORTER", "prometheus");
  const { promise, resolve } = Promise.withResolvers<void>();
  ended.push(async () => resolve());
  const turn = fakeTool(() => promise, {
    name: "turn",
    path: "/tool/turn",
    request: {},
    resultKind: "none",
    definition: { limit: { jobs: 1, beyond: "wait" } },
    functions: { limits: limitsOf as never },
  });
  // A firing each second, which waits for the one before: that never ends.
  const schedules: ScheduleDefinition[] = [
    { cron: "* * * * * *", zone: "UTC", request: {}, missed: "one", overlap: "queue" },
  ];
  const late = fakeTool(() => promise, {
    name: "late",
    path: "/tool/late",
    request: {},
    resultKind: "none",
    definition: { schedules },
  });
  for (const { definition, functions } of [turn, late]) defineTool(definition, functions);
  const ask = handler();
  for (let count = 0; count < 3; count++)
    expect((await ask(new Request(post("/tool/turn"), { headers: { ...json, prefer: "wait=0" } }))).status).toBe(202);
  const valueOf = async (name: string, tool: string): Promise<number> => {
    const text = await (await ask(get("/metrics"))).text();
    const line = String.raw`^platform_${name}\{(?=.*service="test")(?=.*tool="${tool}").*\} ([\d.e-]+)$`;
    return Number(new RegExp(line, "m").exec(text)?.[1]);
  };
  expect(await valueOf("jobs_held", "turn")).toBe(2);
  expect([await valueOf("jobs_held", "late"), await valueOf("jobs_oldest_held_seconds", "late")]).toEqual([0, 0]);
  await expect.poll(() => valueOf("jobs_oldest_held_seconds", "turn")).toBeGreaterThan(0);
  await expect.poll(() => valueOf("schedule_lag_seconds", "late")).toBeGreaterThan(0);
  resolve();
  await expect.poll(() => valueOf("jobs_held", "turn")).toBe(0);
});

test("createFetchHandler: a stranger gets no metrics", async () => {
  vi.stubEnv("OTEL_METRICS_EXPORTER", "prometheus");
  const answer = await handler({ auth })(get("/metrics"));
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain("target_info");
});

test("registerMcp adds no route for metrics, and says so", async () => {
  vi.stubEnv("OTEL_METRICS_EXPORTER", "prometheus");
  const paths: string[] = [];
  const app = { all: (path: string) => paths.push(path) };
  ended.push(registerMcp(app, new Service({ name: "Test", version: "1" })).stop);
  const logged = async (): Promise<string> => {
    await flushLogs();
    return lines.join("");
  };
  await expect.poll(logged).toContain("registerMcp adds no /metrics to your app");
  expect(paths).toEqual(["/mcp"]);
});

test("a server: a stranger gets no metrics", async () => {
  const env = { ...asked, TENON_AUTH_ISSUER: auth.issuer, TENON_AUTH_AUDIENCE: auth.audience };
  const service = await launchEntry(entry, [], { TENON_ALLOWED_HOSTS: "localhost", ...env }).listening;
  const answer = await fetch(`${service.url}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining("target_info")]);
  expect((await service.stop()).code).toBe(0);
});

// Every address of 127.0.0.0/8 is this machine on Linux, so the exporter's usual port is free on one of this process.
test.skipIf(process.platform !== "linux")("a batch worker: the exporter's own listener", async () => {
  const host = `127.${1 + (process.pid % 250)}.${(process.pid >> 8) % 250}.7`;
  const sidecar = await fakeSidecar();
  sidecar.add({ id: "b1", content: { mode: "plain" } });
  const worker = launchEntry(entry, [], {
    ...asked,
    OTEL_EXPORTER_PROMETHEUS_HOST: host,
    PLATFORM_BASE_URL: sidecar.url,
    AS_WORKER: "1",
  });
  await sidecar.until(() => sidecar.taken("result").length > 0);
  const text = await (await fetch(`http://${host}:9464/metrics`)).text();
  sidecar.finish();
  expect((await worker.ended).code).toBe(0);
  await sidecar.close();
  expect(text).toMatch(counted);
});

test("grpc without its packages: one line, and the service runs", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  vi.resetModules();
  for (const signal of ["trace", "metrics", "logs"])
    vi.doMock(`@opentelemetry/exporter-${signal}-otlp-grpc`, () => {
      throw new Error("Cannot find package");
    });
  const { resolveExport } = await import("../../runtime/telemetry/export/resolve-export.ts");
  const { loadGrpcExporters } = await import("../../runtime/telemetry/sdk/grpc-exporters.ts");
  expect(await loadGrpcExporters(resolveExport(env, undefined))).toEqual({});
  await flushLogs();
  const said = lines.filter((line) => line.includes("cannot go by grpc"));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("telemetry: traces, metrics, logs cannot go by grpc");
});
