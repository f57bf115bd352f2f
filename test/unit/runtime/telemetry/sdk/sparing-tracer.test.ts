import { ROOT_CONTEXT, trace, TraceFlags } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { countSpans, sparingTracer, watched } from "../../../../../runtime/telemetry/sdk/sparing-tracer.ts";
import { ExportWatch } from "../../../../../runtime/telemetry/sdk/export-watch.ts";
import { AlwaysOnSampler } from "../../../../../runtime/telemetry/sdk/official.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

function stuck(): { readonly exporter: SpanExporter; readonly batches: ReadableSpan[][]; release(): void } {
  const batches: ReadableSpan[][] = [];
  const waiting: (() => void)[] = [];
  let isStuck = true;
  const exporter: SpanExporter = {
    export(spans, done) {
      batches.push(spans);
      const answer = (): void => done({ code: 0 });
      if (isStuck) waiting.push(answer);
      else answer();
    },
    shutdown: async () => {},
    forceFlush: async () => {},
  };
  const release = (): void => {
    isStuck = false;
    for (const answer of waiting) answer();
  };
  return { exporter, batches, release };
}

test("while the exporter is stuck: no more spans are recorded than the queue holds, contexts go on, none is lost uncounted", async () => {
  const watch = new ExportWatch("traces", "http://collector/v1/traces");
  const { exporter, batches, release } = stuck();
  const limits = { maxQueueSize: 20, maxExportBatchSize: 10 };
  const sampler = new AlwaysOnSampler();
  const provider = new TracerProvider({
    sampler,
    spanProcessors: [
      countSpans(watch),
      new BatchSpanProcessor({ exporter: watched(exporter, watch, (spans) => (spans as unknown[]).length), ...limits }),
    ],
  });
  const tracer = sparingTracer(provider.getTracer("test"), sampler, {
    isFull: () => watch.pending >= 30,
    spared: () => watch.spared(),
  });
  const parent = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1, isRemote: true });
  let recorded = 0;
  let attributes = 0;
  for (let count = 0; count < 500; count += 1) {
    const options = {
      get attributes() {
        attributes += 1;
        return {};
      },
    };
    const span = tracer.startSpan("job", options, parent);
    if (span.isRecording()) recorded += 1;
    expect(span.spanContext()).toMatchObject({ traceId, traceFlags: TraceFlags.SAMPLED });
    expect(span.spanContext().spanId).toMatch(/^(?!b7ad6b7169203331)[0-9a-f]{16}$/);
    span.end();
  }
  expect([recorded, attributes, watch.pending]).toEqual([30, 30, 30]);
  await expect.poll(() => batches.length).toBe(1);
  release();
  await provider.forceFlush();
  await expect.poll(() => watch.pending).toBe(0);
  expect(tracer.startSpan("job").isRecording()).toBe(true);
  await provider.shutdown();
  expect(watch.counts).toEqual({ exported: 30, failed: 0, dropped: 470 });
});

test("a span that would not be sampled is neither sampled nor counted as lost", () => {
  let lost = 0;
  const provider = new TracerProvider({ spanProcessors: [] });
  const tracer = sparingTracer(provider.getTracer("test"), new AlwaysOffSampler(), {
    isFull: () => true,
    spared: () => void (lost += 1),
  });
  expect(tracer.startSpan("job").spanContext().traceFlags).toBe(TraceFlags.NONE);
  expect(lost).toBe(0);
});
