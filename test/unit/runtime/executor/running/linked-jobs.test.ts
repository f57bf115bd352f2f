import { expect, test } from "vitest";
import { LinkedJobs } from "../../../../../runtime/executor/running/linked-jobs.ts";
import type { RunningJob } from "../../../../../runtime/executor/running/running-job.ts";

test("jobs leave in any order, and one that is not there changes nothing", () => {
  const jobs = ["a", "b", "c", "d"].map((id) => ({ id, older: undefined, newer: undefined }) as unknown as RunningJob);
  const [a, b, c, d] = jobs as [RunningJob, RunningJob, RunningJob, RunningJob];
  const list = new LinkedJobs();
  const ids = (): string =>
    list
      .toArray()
      .map(({ id }) => id)
      .join("");
  list.remove(a);
  expect([list.isEmpty, ids()]).toEqual([true, ""]);
  for (const job of [a, b, c]) list.add(job);
  list.remove(d);
  expect(ids()).toBe("abc");
  list.remove(b);
  list.remove(b);
  list.add(d);
  expect(ids()).toBe("acd");
  for (const job of [d, a]) list.remove(job);
  list.add(b);
  expect(ids()).toBe("cb");
  for (const job of [c, b]) list.remove(job);
  expect([list.isEmpty, ids()]).toEqual([true, ""]);
});
