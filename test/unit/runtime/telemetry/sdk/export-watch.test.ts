import { beforeEach, describe, expect, it } from "vitest";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { ExportWatch } from "../../../../../runtime/telemetry/sdk/export-watch.ts";

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
});
