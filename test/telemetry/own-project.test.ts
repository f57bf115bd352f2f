import { writeFileSync } from "node:fs";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleFixture, type BundledFixture } from "../support/bundle-fixture.ts";
import { launchEntry, type EndedProcess } from "../support/launch.ts";
import { resourceOf, spansOf } from "../support/otlp-decode.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";

/** A project that names `@opentelemetry/sdk-node`, and the same without it. */
let named: BundledFixture;
let bare: BundledFixture;
beforeAll(async () => {
  [named, bare] = await Promise.all([
    bundleFixture("own-sdk", ["service", "own"]),
    bundleFixture("own-sdk", ["service"], (root) =>
      writeFileSync(join(root, "package.json"), '{ "name": "bare", "type": "module", "version": "1.0.0" }'),
    ),
  ]);
});
afterAll(() => {
  named[Symbol.dispose]();
  bare[Symbol.dispose]();
});

let sink: OtlpSink;
let collector: Http2Server;
/** Messages that came by gRPC, by the path of the method. */
let calls: Map<string, Buffer>;
beforeEach(async () => {
  sink = await startOtlpSink();
  calls = new Map();
  collector = createServer();
  collector.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      calls.set(String(headers[":path"]), Buffer.concat(chunks).subarray(5));
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.alloc(5));
    });
  });
  await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await sink.close();
  await new Promise((resolve) => collector.close(resolve));
});

const grpc = (): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
});

async function run(entry: string, env: Readonly<Record<string, string>>): Promise<EndedProcess> {
  const service = await launchEntry(entry, [], { TENON_ALLOWED_HOSTS: "localhost", ...env }).listening;
  expect(await (await service.post({ n: 4 })).json()).toBe(8);
  const ended = await service.stop();
  expect(ended.code).toBe(0);
  return ended;
}

test("grpc in a project without its packages: one line says what to install, and the service runs", async () => {
  const { stderr } = await run(bare.entry("service"), grpc());
  const lines = stderr.split("\n").filter((line) => line.includes("telemetry:"));
  expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual([
    "telemetry: traces, metrics, logs cannot go by grpc, whose exporters are not part of this service. Install " +
      '"@opentelemetry/sdk-node" in its project and build again, or set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.',
  ]);
  expect(calls.size).toBe(0);
});

test("a project that names sdk-node has its exporters in the bundle: the three signals go by grpc", async () => {
  const { stderr } = await run(named.entry("service"), grpc());
  expect(stderr).not.toContain("telemetry:");
  expect([...calls.keys()].toSorted()).toEqual(
    ["logs.v1.LogsService", "metrics.v1.MetricsService", "trace.v1.TraceService"].map(
      (service) => `/opentelemetry.proto.collector.${service}/Export`,
    ),
  );
  const traces = calls.get("/opentelemetry.proto.collector.trace.v1.TraceService/Export") ?? Buffer.alloc(0);
  expect(spansOf(traces).map(({ name }) => name)).toEqual(["platform.job"]);
});

test("B3's propagators are those of the project; without its packages one line says what to install", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_PROPAGATORS: "tracecontext,b3" };
  expect((await run(named.entry("service"), env)).stderr).not.toContain("OTEL_PROPAGATORS");
  const { stderr } = await run(bare.entry("service"), env);
  const lines = stderr.split("\n").filter((line) => line.includes("OTEL_PROPAGATORS"));
  expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual([
    'OTEL_PROPAGATORS: "b3" is ignored, since its package is not part of this service. ' +
      'Install "@opentelemetry/sdk-node" in its project and build again.',
  ]);
});

test("an author's NodeSDK, started before the service, gets our spans, once", async () => {
  await run(named.entry("own"), { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_METRICS_EXPORTER: "none" });
  const bodies = sink.of("traces").map(({ body }) => body);
  expect(
    bodies
      .flatMap(spansOf)
      .map(({ name }) => name)
      .filter((name) => name === "platform.job"),
  ).toHaveLength(1);
  expect(bodies.map((body) => resourceOf("traces", body)["service.name"])).toEqual(["mine"]);
});
