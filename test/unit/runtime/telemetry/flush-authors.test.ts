import { trace } from "@opentelemetry/api";
import { BatchSpanProcessor, InMemorySpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, expect, test } from "vitest";
import { authorTelemetry } from "../../../../runtime/telemetry/spans/author-telemetry.ts";

afterEach(() => trace.disable());

test("the end waits until the author's own set-up has sent what it has", async () => {
  const exporter = new InMemorySpanExporter();
  const delay = 600_000;
  const provider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delay })],
  });
  trace.setGlobalTracerProvider(provider);
  const telemetry = authorTelemetry(new Set(["trace"]), { kind: "server", serviceId: undefined, watchesCalls: false });
  trace.getTracer("author").startSpan("last").end();
  expect(exporter.getFinishedSpans()).toEqual([]);
  await telemetry.close();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["last"]);
  await provider.shutdown();
});
