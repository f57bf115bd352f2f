import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { BatchQueue } from "../../../../../runtime/telemetry/sdk/batch-queue.ts";
import { ExportWatch } from "../../../../../runtime/telemetry/sdk/export-watch.ts";

describe("queue", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function setUp(send: (batch: number[]) => Promise<void>): { queue: BatchQueue<number>; dropped: () => number } {
    let dropped = 0;
    const queue = new BatchQueue<number>({ send, onDrop: () => dropped++, maxQueue: 8, maxBatch: 3, delay: 100 });
    return { queue, dropped: () => dropped };
  }

  it("sends a full batch as soon as the caller is done, and the rest after the delay", async () => {
    const sent: number[][] = [];
    const { queue } = setUp(async (batch) => void sent.push(batch));
    for (const item of [1, 2, 3, 4]) queue.add(item);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([[1, 2, 3]]);
    await vi.advanceTimersByTimeAsync(99);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([[1, 2, 3], [4]]);
  });

  it("drops and counts while the other side is slow, and takes up again", async () => {
    const sent: number[][] = [];
    const answers: (() => void)[] = [];
    const { queue, dropped } = setUp(
      (batch) =>
        new Promise((resolve) => {
          sent.push(batch);
          answers.push(resolve);
        }),
    );
    for (let item = 1; item <= 3; item++) queue.add(item);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    for (let item = 4; item <= 20; item++) queue.add(item);
    expect([sent, dropped()]).toEqual([[[1, 2, 3]], 9]);
    answers[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    queue.add(21);
    expect(dropped()).toBe(9);
  });

  it("a failed batch is gone and the next one is tried", async () => {
    const sent: number[][] = [];
    const { queue } = setUp(async (batch) => {
      sent.push(batch);
      throw new Error("no");
    });
    for (const item of [1, 2, 3]) queue.add(item);
    await vi.advanceTimersByTimeAsync(0);
    queue.add(4);
    await queue.flush();
    expect(sent).toEqual([[1, 2, 3], [4]]);
  });

  it("sends everything at its end, and takes nothing afterwards", async () => {
    const sent: number[][] = [];
    const { queue, dropped } = setUp(async (batch) => void sent.push(batch));
    for (const item of [1, 2]) queue.add(item);
    await queue.close();
    queue.add(3);
    expect([sent, dropped()]).toEqual([[[1, 2]], 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

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
    watch.dropped();
    now = 59_999;
    watch.dropped();
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
});
