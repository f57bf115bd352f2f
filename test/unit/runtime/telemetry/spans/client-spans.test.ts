import { ROOT_CONTEXT } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { createRedactor } from "../../../../../runtime/telemetry/log/redact.ts";
import { logState } from "../../../../../runtime/telemetry/log/log-state.ts";
import { startClientSpan } from "../../../../../runtime/telemetry/spans/client-spans.ts";

const exporter = new InMemorySpanExporter();
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer("t");

test("secrets are removed from the path of a request, too", () => {
  logState().redactor = createRedactor(["123456:AAHsecret"]);
  for (const path of ["/bot123456:AAHsecret/send?q=1", "/of/jobtoken/x", `/${"a".repeat(5000)}`]) {
    const url = new URL(path, "https://u:p@api.example");
    startClientSpan(tracer, { method: "GET", url }, ROOT_CONTEXT, "Bearer jobtoken").ended({ status: 200 });
  }
  expect(exporter.getFinishedSpans().map(({ attributes }) => attributes["url.full"])).toEqual([
    "https://api.example/bot[redacted]/send?[redacted]",
    "https://api.example/of/[redacted]/x",
    `https://api.example/${"a".repeat(1024 - "https://api.example/".length)}`,
  ]);
});
