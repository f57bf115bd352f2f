import { expect, onTestFinished, test } from "vitest";
import { createLeaseKeeper } from "../../../runtime/fronts/batch/lease.ts";
import type { LeaseKeeper } from "../../../runtime/fronts/batch/lease.ts";
import { sidecar } from "./launch.ts";

const lease = { id: "urn:platform:job:a/b", headers: { Authorization: "Bearer a", "Job-Lease": "l" }, seconds: 0.15 };

function keeper(url: string): LeaseKeeper {
  const made = createLeaseKeeper(url);
  onTestFinished(() => made.close());
  return made;
}

test("renews at every third with the job's own headers, until it is let go", async () => {
  const fake = await sidecar();
  const letGo = keeper(fake.url).hold(lease, () => {});
  await fake.until(() => fake.taken("lease").length === 4);
  letGo();
  const { url, headers, id } = fake.taken("lease")[0] ?? {};
  expect([url, id, headers?.authorization, headers?.["job-lease"], headers?.["content-length"]]).toEqual([
    "/jobs/urn%3Aplatform%3Ajob%3Aa%2Fb/lease",
    lease.id,
    "Bearer a",
    "l",
    "0",
  ]);
  const times = fake.taken("lease").map(({ at }) => at);
  expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(120);
  const held = fake.exchanges.length;
  keeper(fake.url).hold({ ...lease, id: "other" }, () => {});
  await fake.until(() => fake.taken("lease").filter(({ id }) => id === "other").length === 5);
  expect(fake.taken("lease").filter(({ id }) => id === lease.id).length).toBeLessThanOrEqual(held + 1);
});

test.each<[string, { status: number; body?: unknown }, string, string]>([
  ["409", { status: 409 }, "lost", "The lease of the job was lost: the platform has given it to another worker."],
  ["410", { status: 410 }, "lost", "The platform has ended the job."],
  ["a reason", { status: 200, body: { cancel: "by hand" } }, "cancel", "by hand"],
  ["no reason", { status: 200, body: { cancel: true } }, "cancel", "The job was cancelled."],
])("%s: told once, and no more renewals", async (_, answer, kind, reason) => {
  const fake = await sidecar();
  fake.answer("lease", () => answer);
  const leases = keeper(fake.url);
  const news: string[][] = [];
  const renewals = (id: string): number => fake.taken("lease").filter((taken) => taken.id === id).length;
  await new Promise<void>((resolve) => {
    leases.hold(lease, (...told) => {
      news.push(told);
      resolve();
    });
  });
  // A slow machine may have one renewal under way when the news comes.
  const before = renewals(lease.id);
  fake.answer("lease", () => ({ status: 200 }));
  leases.hold({ ...lease, id: "other" }, () => {});
  await fake.until(() => renewals("other") === 5);
  expect(news).toEqual([[kind, reason]]);
  expect(renewals(lease.id)).toBeLessThanOrEqual(before + 1);
});

test.each(["reset", "hang", "garbage", "truncated", "huge", 500, 404, 200] as const)(
  "%s: goes on, and hears of a cancellation afterwards",
  async (fault) => {
    const fake = await sidecar();
    fake.fail("lease", fault, 2);
    fake.answer("lease", () => ({ status: 200, body: { cancel: "by hand" } }));
    const reason = await new Promise((resolve) => keeper(fake.url).hold(lease, (_, text) => resolve(text)));
    expect(reason).toBe("by hand");
    // Two that failed, and the one that told; a slow machine asks once more before an answer has come.
    expect(fake.exchanges.length).toBeGreaterThanOrEqual(3);
  },
);
