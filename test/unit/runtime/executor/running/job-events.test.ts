import { beforeAll, expect, test } from "vitest";
import { JobEvents } from "../../../../../runtime/executor/running/job-events.ts";
import { StepStartEvent } from "../../../../../runtime/job/event.ts";
import type { JobEvent } from "../../../../../runtime/job/job.ts";
import type { EventSource } from "../../../../../runtime/job/sink.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";

beforeAll(() => loggingInit({ level: "CRITICAL" }));

/** Events of a job whose store answers when the test says so. */
function slowlyKept(): {
  readonly events: JobEvents;
  readonly writes: { readonly numbers: readonly number[]; readonly answer: (kept: string) => void }[];
  readonly seen: number[];
} {
  const events = new JobEvents({ id: "urn:platform:job:1" } as unknown as EventSource, []);
  const writes: ReturnType<typeof slowlyKept>["writes"] = [];
  const seen: number[] = [];
  events.follow(({ sequence }) => seen.push(sequence));
  events.keep = (batch: readonly JobEvent[]) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    writes.push({ numbers: batch.map(({ sequence }) => sequence), answer: resolve });
    return promise;
  };
  return { events, writes, seen };
}

function report(events: JobEvents, count: number): void {
  for (let at = 0; at < count; at++) events.add(new StepStartEvent("step"), false);
}

const turn = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("while the store writes, events wait for one write together, and callers get what is stored", async () => {
  const { events, writes, seen } = slowlyKept();
  report(events, 5);
  expect([writes.map(({ numbers }) => numbers), seen]).toEqual([[[1]], []]);
  writes[0]?.answer("ok");
  await turn();
  expect([writes.map(({ numbers }) => numbers), seen]).toEqual([[[1], [2, 3, 4, 5]], [1]]);
  writes[1]?.answer("ok");
  await turn();
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  report(events, 1);
  expect(writes.at(-1)?.numbers).toEqual([6]);
  writes.at(-1)?.answer("stale");
  await turn();
  expect(seen).toHaveLength(5);
});

test("the latest thousand wait for a store that is slower than the job", async () => {
  const { events, writes, seen } = slowlyKept();
  report(events, 5000);
  writes[0]?.answer("ok");
  await turn();
  expect([writes.length, writes[1]?.numbers.length, writes[1]?.numbers.at(-1)]).toEqual([2, 1000, 5000]);
  writes[1]?.answer("ok");
  await turn();
  expect([seen.length, seen.at(-1)]).toEqual([1001, 5000]);
});

test("what waits is written before the end of the job, whatever the store is doing", () => {
  const { events, writes } = slowlyKept();
  report(events, 3);
  events.storeAll();
  events.storeAll();
  expect(writes.map(({ numbers }) => numbers)).toEqual([[1], [2, 3]]);
});
