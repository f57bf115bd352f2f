import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { startRecorder } from "../outbound/harness/recorder.ts";
import { launchEntry } from "../support/launch.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { spanId, sunkSpans, traceId } from "../support/traced-caller.ts";

test.each(["call", "http"])(
  "B3 comes in over REST, and goes out with a request by %s beside traceparent",
  async (mode) => {
    const sink = await startOtlpSink();
    const target = await startRecorder();
    const service = await launchEntry(join(inject("bundledServices"), "telemetry.js"), [], {
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_PROPAGATORS: "b3,tracecontext,baggage",
      TENON_ALLOWED_HOSTS: "localhost",
    }).listening;
    const body = { mode, text: `http://127.0.0.1:${target.port}/` };
    expect((await service.post(body, { b3: `${traceId}-${spanId}-1` })).status).toBe(200);
    const winner = "1".repeat(32);
    expect(
      (await service.post(body, { b3: `${traceId}-${spanId}-1`, traceparent: `00-${winner}-${spanId}-01` })).status,
    ).toBe(200);
    await service.stop();
    const spans = sunkSpans(sink);
    const [first, second] = spans.filter(({ name }) => name === "platform.job");
    expect([first?.traceId, first?.parentSpanId, second?.traceId]).toEqual([traceId, spanId, winner]);
    const client = spans.find((span) => span.kind === "SPAN_KIND_CLIENT" && span.traceId === traceId);
    const [asked] = target.take();
    expect(asked?.headers).toMatchObject({
      b3: `${traceId}-${client?.spanId}-1`,
      traceparent: `00-${traceId}-${client?.spanId}-01`,
    });
    await target.stop();
    await sink.close();
  },
);
