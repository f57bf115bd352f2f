import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { launchEntry } from "../support/launch.ts";
import { metricsOf } from "../support/otlp-decode.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { spanId, sunkSpans, traceId, traceparent } from "../support/traced-caller.ts";

const entry = join(inject("bundledServices"), "telemetry.js");

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(() => sink.close());

/** `more`: a member that only the full engine reads. */
function call(id: number, mode: string, meta?: object, more?: object): object {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "work", arguments: { mode }, ...(meta && { _meta: meta }), ...more },
  };
}

function check(transport: "pipe" | "tcp"): void {
  const spans = sunkSpans(sink);
  const calls = spans.filter(({ name }) => name === "tools/call work");
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "work",
    "gen_ai.operation.name": "execute_tool",
    "mcp.protocol.version": "2025-06-18",
    "network.transport": transport,
    ...(transport === "tcp" && { "network.protocol.name": "http" }),
  };
  const asked = (id: number): object => ({ ...attributes, "jsonrpc.request.id": String(id) });
  expect(calls.map((span) => [span.kind, span.traceId, span.parentSpanId, span.attributes, span.status])).toEqual([
    ["SPAN_KIND_SERVER", traceId, spanId, asked(1), "STATUS_CODE_UNSET"],
    ["SPAN_KIND_SERVER", traceId, spanId, { ...asked(2), "error.type": "tool_error" }, "STATUS_CODE_ERROR"],
  ]);
  const jobs = spans.filter(({ name }) => name === "platform.job");
  expect(jobs.map((span) => [span.traceId, span.parentSpanId])).toEqual(calls.map((span) => [traceId, span.spanId]));
  const metrics = metricsOf(sink.of("metrics").at(-1)?.body ?? Buffer.alloc(0));
  expect(
    metrics["mcp.server.operation.duration"]?.map((point) => [point["attributes"], Number(point["count"])]),
  ).toEqual([
    [attributes, 1],
    [{ ...attributes, "error.type": "tool_error" }, 1],
  ]);
}

it("spans and metrics of calls over HTTP, context from _meta before the header", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, TENON_ALLOWED_HOSTS: "localhost" };
  const service = await launchEntry(entry, ["--with-mcp"], env).listening;
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
  const other = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;
  await (await service.post(call(1, "plain", { traceparent }), { ...headers, traceparent: other }, "/mcp")).text();
  await (await service.post(call(2, "throw", undefined, { extra: 1 }), { ...headers, traceparent }, "/mcp")).text();
  expect((await service.stop()).code).toBe(0);
  check("tcp");
});

it("and over standard input and output, where only the protocol is on stdout", async () => {
  const { ended, stdin } = launchEntry(entry, ["--with-mcp-stdio"], { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const messages = [
    { jsonrpc: "2.0", id: 0, method: "initialize", params: hello },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    call(1, "plain", { traceparent }),
    call(2, "throw", { traceparent }, { extra: 1 }),
  ];
  stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  check("pipe");
});
