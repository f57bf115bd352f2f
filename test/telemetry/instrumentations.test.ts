import { join } from "node:path";
import { expect, inject, test, vi } from "vitest";
import { startRecorder } from "../outbound/harness/recorder.ts";
import { launchEntry } from "../support/launch.ts";
import type { DecodedSpan } from "../support/otlp-decode.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { spanPaths, sunkSpans, traceId, traceparent } from "../support/traced-caller.ts";

// Instrumentations, the SDK and a database start here.
vi.setConfig({ testTimeout: 120_000 });

test("official instrumentations of http, undici and pg: their spans hang below the job's, each request has one", async () => {
  const [sink, target, database] = await Promise.all([startOtlpSink(), startRecorder(), startPostgres()]);
  const service = await launchEntry(join(inject("bundledServices"), "telemetry.js"), [], {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_BSP_SCHEDULE_DELAY: "10",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "../support/own-instrumentations.mjs")}`,
    TENON_ALLOWED_HOSTS: "localhost",
  }).listening;
  const url = `http://127.0.0.1:${target.port}/`;
  for (const body of [
    { mode: "call", text: url },
    { mode: "http", text: url },
    { mode: "query", text: database.url() },
  ])
    expect((await service.post(body, { traceparent })).status).toBe(200);
  const spans = (): readonly DecodedSpan[] => sunkSpans(sink);
  const paths = (): readonly string[] => spanPaths(spans()).filter((text) => !text.includes("pg.connect"));
  const job = "caller > POST > job";
  const steps = [`${job} > event:call`, `${job} > event:call > GET`];
  await expect
    .poll(paths, { interval: 50 })
    .toEqual(
      [
        "caller > POST",
        "caller > POST",
        "caller > POST",
        job,
        job,
        job,
        ...steps,
        ...steps,
        `${job} > event:query`,
        `${job} > event:query > pg.query:SELECT postgres`,
      ].toSorted(),
    );
  expect((await service.stop()).code).toBe(0);
  await Promise.all([target.stop(), database.stop(), sink.close()]);
  // The context that a callee gets is that of the one client span.
  const clients = spans()
    .filter(({ name }) => name === "GET")
    .map((span) => `00-${traceId}-${span.spanId}-01`);
  expect(
    target
      .take()
      .map(({ headers }) => headers["traceparent"])
      .toSorted(),
  ).toEqual(clients.toSorted());
});
