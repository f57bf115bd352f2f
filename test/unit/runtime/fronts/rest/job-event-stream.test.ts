import { expect, test } from "vitest";
import { jobEventStream } from "../../../../../runtime/fronts/rest/job-event-stream.ts";
import type { Job, JobEvent } from "../../../../../runtime/job/job.ts";

/** A job that runs, and tells of events. */
function runningJob(): { readonly job: Job; readonly tell: (bytes: number) => void } {
  const listeners = new Set<(event: JobEvent) => void>();
  let sequence = 0;
  const job = {
    id: "urn:platform:job:00000000-0000-4000-8000-000000000001",
    outcome: undefined,
    onEvent: (listener: (event: JobEvent) => void) => (listeners.add(listener), () => listeners.delete(listener)),
    onEnd: () => {},
  } as unknown as Job;
  return {
    job,
    tell: (bytes) => {
      const publicBody = { $schema: "urn:test:event", text: "x".repeat(bytes) };
      for (const listener of listeners) listener({ sequence: ++sequence, timestamp: "", body: publicBody, publicBody });
    },
  };
}

test("it tells what waits for its reader, and no more once that is read", async () => {
  const held: number[] = [];
  const { job, tell } = runningJob();
  const reader = jobEventStream(job, 0, { source: "test" }, (bytes) => held.push(bytes))?.getReader();
  tell(100_000);
  tell(100_000);
  expect(held.at(-1)).toBeGreaterThan(200_000);
  for (let chunk = 0; chunk < 3; chunk++) await reader?.read();
  await expect.poll(() => held.at(-1)).toBe(0);
  await reader?.cancel();
});

test("a reader with more than four megabytes unread is told to resume, whatever the job still says", async () => {
  const { job, tell } = runningJob();
  const stream = jobEventStream(job, 0, { source: "test" });
  for (let event = 0; event < 100; event++) tell(100_000);
  let bytes = 0;
  for await (const chunk of stream ?? []) bytes += chunk.length;
  expect(bytes).toBeGreaterThan(4_000_000);
  expect(bytes).toBeLessThan(4_500_000);
});
