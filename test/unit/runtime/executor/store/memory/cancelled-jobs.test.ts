import { expect, test } from "vitest";
import { newJobUrn } from "../../../../../../runtime/job/job-id.ts";
import { CancelledJobs } from "../../../../../../runtime/executor/store/memory/cancelled-jobs.ts";
import { newLiveJob, type LiveJob } from "../../../../../../runtime/executor/store/memory/live-job.ts";

function ranJob(input: unknown): LiveJob {
  const live = newLiveJob({ id: newJobUrn(), tool: "t", input, ttl: 60, maxAttempts: 1 } as LiveJob["job"], 1);
  live.token = "token";
  return live;
}

test("cancelled jobs are kept up to a number of bytes, the latest ones, and count again with each late step", () => {
  const cancelled = new CancelledJobs();
  const known = (live: LiveJob): boolean => cancelled.get(live.job.id) !== undefined;
  const short = Array.from({ length: 50 }, () => ranJob({ at: 1 }));
  for (const live of short) cancelled.add(live);
  expect(short.filter(known)).toHaveLength(50);
  // 330,000 empty objects take 21 MB, though their text has one.
  const large = [1, 2].map(() => ranJob({ many: Array.from({ length: 330_000 }, () => ({})) }));
  for (const live of large) cancelled.add(live);
  expect([short.some(known), ...large.map(known)]).toEqual([false, false, true]);
  const [early, late] = [ranJob({}), ranJob({})];
  cancelled.add(early);
  cancelled.add(late);
  expect([early, late, ...large].map(known)).toEqual([true, true, false, false]);
  late.keptBytes = 9e6;
  cancelled.add(late);
  expect([early, late].map(known)).toEqual([false, true]);
});

test("a job that was cancelled before it ran has no late steps", () => {
  const cancelled = new CancelledJobs();
  const live = ranJob({});
  live.token = undefined;
  cancelled.add(live);
  expect(cancelled.get(live.job.id)).toBeUndefined();
});
