import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import type { ObservedJob } from "../../../../../runtime/job/job-span.ts";
import { assembleTelemetry } from "../../../../../runtime/telemetry/spans/assemble.ts";

test("the span of an attempt whose job is parked ends without an outcome", async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const { jobs, close } = assembleTelemetry({
    tracer: provider.getTracer("test"),
    meter: undefined,
    logs: undefined,
    threads: undefined,
    metricsText: undefined,
    kind: "server",
    serviceId: undefined,
    watchesCalls: false,
    close: async () => {},
  });
  const job = { id: "urn:platform:job:a", tool: { name: "t" }, outcome: undefined, submission: {} } as const;
  const span = jobs?.began({ ...job, span: undefined, authorization: undefined });
  jobs?.left?.({ ...job, span, authorization: undefined } satisfies ObservedJob);
  expect(exporter.getFinishedSpans().map(({ name, status, attributes }) => [name, status.code, attributes])).toEqual([
    ["platform.job", 0, { "platform.job_id": job.id, "platform.tool": "t" }],
  ]);
  await close();
});
