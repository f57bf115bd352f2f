import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { createLeaseKeeper, type LeaseKeeper } from "../../../runtime/fronts/batch/lease.ts";
import type { FakeSidecar } from "../../support/fake-sidecar.ts";
import { sidecar } from "./launch.ts";

const lease = { id: "urn:platform:job:a/b", headers: { Authorization: "Bearer a", "Job-Lease": "l" }, seconds: 0.15 };

function keeper(url: string): LeaseKeeper {
  const made = createLeaseKeeper(url);
  onTestFinished(() => made.close());
  return made;
}

function renewals(fake: FakeSidecar, id: string): number {
  return fake.taken("lease").filter((taken) => taken.id === id).length;
}

/**
 * Resolves when there is no renewal of the lease while another of the same keeper is renewed five times. Some may be
 * under way when it ends; a lease that goes on being renewed is in every round.
 */
async function isRenewedNoMore(fake: FakeSidecar, leases: LeaseKeeper): Promise<void> {
  leases.hold({ ...lease, id: "other" }, () => {});
  for (let round = 0; round < 10; round++) {
    const [before, others] = [renewals(fake, lease.id), renewals(fake, "other")];
    await fake.until(() => renewals(fake, "other") >= others + 5);
    if (renewals(fake, lease.id) === before) return;
  }
  expect.unreachable("the lease is renewed on and on");
}

test("renews at every third with the job's own headers, until it is let go", async () => {
  const fake = await sidecar();
  const leases = keeper(fake.url);
  const start = performance.now();
  const letGo = leases.hold(lease, () => {});
  await fake.until(() => fake.taken("lease").length >= 4);
  letGo();
  const { url, headers, id } = fake.taken("lease")[0] ?? {};
  expect([url, id, headers?.authorization, headers?.["job-lease"], headers?.["content-length"]]).toEqual([
    "/jobs/urn%3Aplatform%3Ajob%3Aa%2Fb/lease",
    lease.id,
    "Bearer a",
    "l",
    "0",
  ]);
  // Never sooner; how much later depends on the machine. Timers may be a millisecond early.
  expect((fake.taken("lease")[3]?.at ?? 0) - start).toBeGreaterThan(4 * 50 - 5);
  await isRenewedNoMore(fake, leases);
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
  await new Promise<void>((resolve) => {
    leases.hold(lease, (...told) => {
      // On a busy machine, an answer may come later than the thread waits for it.
      if (told[0] === "failing" || told[0] === "expired") return;
      news.push(told);
      resolve();
    });
  });
  fake.answer("lease", () => ({ status: 200 }));
  await isRenewedNoMore(fake, leases);
  expect(news).toEqual([[kind, reason]]);
});

test.each(["reset", "hang", "garbage", "truncated", "huge", 500, 404, 200] as const)(
  "%s: goes on, and hears of a cancellation afterwards",
  async (fault) => {
    const fake = await sidecar();
    fake.fail("lease", fault, 2);
    fake.answer("lease", () => ({ status: 200, body: { cancel: "by hand" } }));
    const reason = await new Promise((resolve) =>
      keeper(fake.url).hold(lease, (kind, text) => kind === "cancel" && resolve(text)),
    );
    expect(reason).toBe("by hand");
    // Two that failed, and the one that told; a slow machine asks once more before an answer has come.
    expect(fake.exchanges.length).toBeGreaterThanOrEqual(3);
  },
);

test.each([
  [401, "the sidecar answered 401"],
  [302, "the sidecar answered 302"],
  [500, "the sidecar answered 500"],
  ["hang", "no answer came in time"],
  ["truncated", "the connection ended within the answer"],
  ["huge", "the answer is too long"],
  ["wrong-type", "the answer is not valid JSON"],
] as const)("%s again and again: one warning at first, one when the lease is over", async (fault, reason) => {
  const fake = await sidecar();
  fake.fail("lease", fault, Infinity);
  const leases = keeper(fake.url);
  const news: string[][] = [];
  const start = performance.now();
  let end = start;
  await new Promise<void>((resolve) => {
    leases.hold({ ...lease, seconds: 0.6 }, (kind, text) => {
      // A busy machine may take longer for an answer than the thread waits.
      news.push([kind, text === "no answer came in time" ? reason : text]);
      if (kind !== "expired") return;
      end = performance.now();
      resolve();
    });
  });
  expect(end - start).toBeGreaterThan(600 - 5);
  const before = fake.exchanges.length;
  await fake.until(() => fake.exchanges.length >= before + 2);
  expect(news).toEqual([
    ["failing", reason],
    ["expired", reason],
  ]);
});

test("a lease that is renewed in between does not expire", async () => {
  const fake = await sidecar();
  let count = 0;
  fake.answer("lease", () => ({ status: count++ % 2 === 0 ? 401 : 204 }));
  const news: string[] = [];
  keeper(fake.url).hold({ ...lease, seconds: 1.5 }, (kind) => news.push(kind));
  await fake.until(() => count >= 6);
  expect(news).toEqual(["failing"]);
});

test("news that came while this thread computed is heard without a turn of the event loop", async () => {
  const leases = keeper(await refusing());
  const news: string[] = [];
  leases.hold(lease, (kind) => news.push(kind));
  const until = performance.now() + 120_000;
  while (news.length === 0 && performance.now() < until) leases.hear();
  expect(news).toEqual(["lost"]);
});

/** A sidecar in a thread of its own, which refuses every lease. */
async function refusing(): Promise<string> {
  const text = `const { parentPort } = require("node:worker_threads");
    const server = require("node:http").createServer((_, answer) => answer.writeHead(409).end());
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const thread = new Worker(text, { eval: true });
  onTestFinished(async () => void (await thread.terminate()));
  const [port] = (await once(thread, "message")) as [number];
  return `http://127.0.0.1:${port}`;
}
