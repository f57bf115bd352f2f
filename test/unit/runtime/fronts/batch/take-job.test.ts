import { beforeEach, expect, test } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { LeaseListener } from "../../../../../runtime/fronts/batch/lease.ts";
import type { FetchedJob } from "../../../../../runtime/fronts/batch/read-job.ts";
import { createJobTaker, type JobTaker } from "../../../../../runtime/fronts/batch/take-job.ts";
import { createDelivery } from "../../../../../runtime/outside/platform/delivery/delivery.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeClient, type FakeClient, type Scripted } from "../../../../support/fake-client.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";
import { virtualClock, type VirtualClock } from "../../../../support/virtual-clock.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ write: (line) => lines.push(line) });
});

interface Scene {
  readonly jobs: JobTaker;
  readonly client: FakeClient;
  readonly clock: VirtualClock;
  /** Texts of the requests that ran, and the ends of the runs. */
  readonly ran: string[];
  readonly open: (() => void)[];
  /** Leases that are renewed. */
  readonly held: Set<object>;
  /** News of leases that waits until it is heard. */
  readonly news: Parameters<LeaseListener>[];
  /** Results that were sent: id and text. */
  readonly results: () => string[];
}

function scene(script: (path: string) => Scripted = () => 204): Scene {
  const clock = virtualClock();
  const client = fakeClient(({ path }) => script(decodeURIComponent(path)));
  const ran: string[] = [];
  const open: (() => void)[] = [];
  const news: Parameters<LeaseListener>[] = [];
  const held = new Set<object>();
  const tool = fakeTool(async ({ text }: { text: string }) => {
    ran.push(text);
    const gate = deferred();
    open.push(gate.resolve);
    await gate.promise;
    return text;
  });
  const config = {
    platformBaseUrl: "http://127.0.0.1",
    flags: { testWithoutSidecar: false },
    spoolDir: temporaryFolder(),
  };
  const delivery = createDelivery(config, { client, clock });
  const executor = createExecutor({ tools: [tool], store: createMemoryStore(), sinks: delivery.sinks });
  let listener: LeaseListener | undefined;
  const leases = {
    hold(lease: object, listening: LeaseListener) {
      listener = listening;
      held.add(lease);
      return () => void held.delete(lease);
    },
    hear: () => news.splice(0).forEach((one) => listener?.(...one)),
    close: () => Promise.resolve(),
  };
  const jobs = createJobTaker({ tool, executor, delivery, client, leases, clock });
  const results = (): string[] =>
    client.requests
      .filter(({ path }) => path.startsWith("/results/"))
      .map(({ path, body }) => `${decodeURIComponent(path.slice(9))}: ${Buffer.from(body ?? "").toString()}`);
  return { jobs, client, clock, ran, open, held, news, results };
}

function jobOf(name: string, text: string, more: Partial<FetchedJob> = {}): FetchedJob {
  const none = { traceparent: undefined, tracestate: undefined, baggage: undefined, authorization: undefined };
  const bare = name.replace("urn:platform:job:", "");
  return {
    id: `urn:platform:job:${bare}`,
    content: { text },
    ...none,
    attempt: { id: name, headers: {} },
    leaseSeconds: undefined,
    ...more,
  };
}

/** Log lines with a text, once there are so many. The first lines of a process come when their writer is loaded. */
async function linesWith(text: string, count: number): Promise<string[]> {
  const found = (): string[] => lines.filter((line) => line.includes(text));
  await expect.poll(() => found().length).toBe(count);
  return found();
}

test.each([
  ["lost", "job lost"],
  ["cancel", "job cancelled by the platform"],
] as const)("%s while the job computed without a break: no result is sent, and a line says so", async (kind, line) => {
  const { jobs, clock, open, news, results } = scene();
  const taken = jobs.take(jobOf("a", "one", { leaseSeconds: 15, authorization: "Bearer own-token-of-a" }));
  await clock.settle();
  news.push([kind, `for own-token-of-a ${"x".repeat(10_000)}`]);
  open[0]?.();
  await taken;
  expect(results()).toEqual([]);
  const said = await linesWith(line, 1);
  expect(said[0]).not.toContain("own-token-of-a");
  expect(said[0]?.length).toBeLessThan(1000);
});

test("a lease that is not renewed is said, and the job goes on", async () => {
  const { jobs, clock, open, news, results } = scene();
  const taken = jobs.take(jobOf("a", "one", { leaseSeconds: 15 }));
  await clock.settle();
  news.push(["failing", "the sidecar answered 401"], ["expired", "the sidecar answered 401"]);
  open[0]?.();
  await taken;
  expect(results()).toEqual(['a: "one"']);
  await linesWith("the sidecar answered 401", 2);
});

test("an id that comes with another request: the old result is not its answer, and the old run is given up", async () => {
  const { jobs, clock, open, ran, results } = scene();
  const first = jobs.take(jobOf("1", "old"));
  await clock.settle();
  const second = jobs.take(jobOf("1", "new"));
  await clock.settle();
  open[1]?.();
  open[0]?.();
  await Promise.all([first, second]);
  expect([ran, results()]).toEqual([["old", "new"], ['1: "new"']]);
  const third = jobs.take(jobOf("1", "newer"));
  await clock.settle();
  open[2]?.();
  await third;
  expect([ran, results()]).toEqual([
    ["old", "new", "newer"],
    ['1: "new"', '1: "newer"'],
  ]);
  await linesWith("job delivered with another request", 2);
});

test("the same request under the same id runs once, whatever the order of its fields is", async () => {
  const { jobs, clock, open, ran, results } = scene();
  const content = { a: 1, text: "one" };
  const first = jobs.take(jobOf("1", "one", { content }));
  await clock.settle();
  open[0]?.();
  await first;
  const again = jobs.take(jobOf("1", "one", { content: { text: "one", a: 1 } }));
  await clock.advance(1000);
  await again;
  expect([ran, results()]).toEqual([["one"], ['1: "one"', '1: "one"']]);
});

test("two ids that mean the same: each request runs, one after the other, and each id gets its result", async () => {
  const { jobs, clock, open, held, ran, results } = scene();
  const leased = { leaseSeconds: 15 };
  const first = jobs.take(jobOf("x1", "one", leased));
  const second = jobs.take(jobOf("urn:platform:job:x1", "two", leased));
  const again = jobs.take(jobOf("urn:platform:job:x1", "two", leased));
  await clock.settle();
  expect([ran, held.size]).toEqual([["one"], 3]);
  open[0]?.();
  await first;
  await clock.settle();
  open[1]?.();
  await second;
  await clock.advance(1000);
  await again;
  await jobs.settled();
  expect([ran, results(), held.size]).toEqual([["one", "two"], ['x1: "one"', 'urn:platform:job:x1: "two"'], 0]);
});

test("a result that is always answered 500 lets the next jobs run, keeps its lease, and is said now and then", async () => {
  const { jobs, clock, client, open, held, results } = scene((path) => (path === "/results/bad" ? 500 : 204));
  const leased = { leaseSeconds: 15 };
  let passed = false;
  void jobs.take(jobOf("bad", "one", leased)).then(() => (passed = true));
  await clock.settle();
  open[0]?.();
  const tries = (): number => client.requests.filter(({ path }) => path === "/results/bad").length;
  // Files are written in turns of the real event loop.
  await expect.poll(async () => (await clock.advance(1000), tries()), { interval: 1 }).toBe(4);
  expect(passed).toBe(false);
  await expect.poll(async () => (await clock.advance(1000), passed), { interval: 1 }).toBe(true);
  const next = jobs.take(jobOf("good", "two", leased));
  await clock.settle();
  open[1]?.();
  await next;
  expect([results().at(-1), held.size]).toEqual(['good: "two"', 1]);
  await expect.poll(async () => (await clock.advance(10_000), tries()), { interval: 1 }).toBe(40);
  const said = await linesWith("result not delivered yet", 4);
  expect(said[1]).toContain('"failures":8');
  expect(said[1]).toMatch(/"seconds":\d+/);
});

test("only some results let the next jobs run at a time, as all are in memory", async () => {
  const { jobs, clock, open } = scene((path) => (path.startsWith("/results/") ? 500 : 204));
  let passed = 0;
  for (let n = 0; n < 9; n++) void jobs.take(jobOf(`${n}`, "one")).then(() => passed++);
  await clock.settle();
  open.forEach((end) => end());
  await expect.poll(async () => (await clock.advance(1000), passed), { interval: 1 }).toBe(8);
  await clock.advance(600_000);
  expect(passed).toBe(8);
});
