import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from "@opentelemetry/sdk-logs";
import { beforeEach, describe, expect, it } from "vitest";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { ExportWatch } from "../../../../../runtime/telemetry/sdk/export-watch.ts";
import { countRecords, watched } from "../../../../../runtime/telemetry/sdk/sparing-tracer.ts";

describe("watch", () => {
  let lines: string[];
  beforeEach(() => {
    lines = [];
    loggingInit({ level: "INFO", write: (line) => lines.push(line) });
  });

  it("warns once a minute, with what has happened since", async () => {
    let now = 0;
    const watch = new ExportWatch("traces", "http://c:4318/v1/traces?key=CANARY", () => now);
    watch.failed(512, { code: "ECONNREFUSED", message: "connect" });
    watch.failed(100, { code: 503 });
    watch.dropped(1);
    now = 59_999;
    watch.dropped(1);
    now = 60_000;
    watch.failed(1, { code: 503 });
    watch.exported(7);
    await flushLogs();
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "telemetry: 512 spans did not arrive at http://c:4318/v1/traces (ECONNREFUSED)",
      "telemetry: 101 spans did not arrive at http://c:4318/v1/traces (status 503); 2 spans were dropped, since the queue was full",
    ]);
    expect(watch.counts).toEqual({ exported: 7, failed: 613, dropped: 2 });
  });

  it("tells at the end what went nowhere, and nothing where all was sent", async () => {
    const [lossy, whole] = [new ExportWatch("logs", "http://c:4318/v1/logs"), new ExportWatch("traces", "http://c/v1")];
    for (let count = 0; count < 5; count += 1) {
      lossy.taken();
      whole.taken();
    }
    lossy.exported(3);
    whole.exported(5);
    lossy.ended();
    whole.ended();
    await flushLogs();
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "telemetry: 2 log records were dropped, since the queue was full",
    ]);
  });

  it("tells what failed within the minute after the next export, and at the end", async () => {
    let now = 0;
    const told = (): readonly string[] => lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg);
    const watch = new ExportWatch("traces", "http://c/v1", () => now);
    watch.failed(512, { code: 401 });
    watch.failed(5000, { code: 401 });
    now = 60_000;
    watch.exported(1);
    watch.failed(3, { code: 401 });
    watch.ended();
    await flushLogs();
    expect(told()).toEqual(
      [512, 5000, 3].map((count) => `telemetry: ${count} spans did not arrive at http://c/v1 (status 401)`),
    );
    expect(watch.untold).toBe(0);
  });

  it("log records that find no room in the queue are told while the service runs", async () => {
    const watch = new ExportWatch("logs", "http://c/v1");
    const got: number[] = [];
    const exporter: LogRecordExporter = {
      export(records, done) {
        got.push(records.length);
        done({ code: 0 });
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    };
    const [maxQueueSize, maxExportBatchSize] = [20, 10];
    const queue = new BatchLogRecordProcessor({
      exporter: watched(exporter, watch, (records) => (records as unknown[]).length),
      maxQueueSize,
      maxExportBatchSize,
    });
    const provider = new LoggerProvider({ processors: [countRecords(queue, watch, maxQueueSize)] });
    for (let count = 0; count < 100; count += 1) provider.getLogger("test").emit({ body: count });
    await provider.forceFlush();
    await flushLogs();
    const exported = got.reduce((sum, count) => sum + count, 0);
    expect(exported).toBeGreaterThanOrEqual(maxQueueSize);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      `telemetry: ${100 - exported} log records were dropped, since the queue was full`,
    ]);
    expect(watch.pending).toBe(0);
    await provider.shutdown();
  });
});
