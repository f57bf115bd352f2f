import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { runBatch, type BatchRun } from "../../../runtime/start/run-batch.ts";
import { readConfig } from "../../../runtime/service/config/config.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fastClock } from "../../support/fast-clock.ts";
import type { FakeJob, Fault, FakeSidecar } from "../../support/fake-sidecar.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { sidecar } from "./launch.ts";

loggingInit({ write() {} });

const folder = mkdtempSync(join(tmpdir(), "tenon-faults-"));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true }));

interface Scene {
  readonly fake: FakeSidecar;
  readonly run: BatchRun;
  /** Calls of the tool, by their text. */
  readonly called: string[];
}

interface Request {
  readonly text: string;
  readonly events?: number;
  readonly ms?: number;
}

type OnFinished = (end: () => Promise<void>) => void;

/** Timeout of a call that hangs; no other may run into one, however busy the machine is. */
const impatient = 1000;

function scene(fake: FakeSidecar, concurrency = 1, onFinished: OnFinished = onTestFinished, timeout?: number): Scene {
  const called: string[] = [];
  const tool = fakeTool(async ({ text, events = 3, ms = 0 }: Request, job: JobContext) => {
    called.push(text);
    for (let n = 0; n < events; n++) job.report.stepStarted(`${text} ${n}`);
    if (ms > 0) await sleep(ms);
    return { text, token: job.jobAuthorization ?? null };
  });
  const config = readConfig(
    { PLATFORM_BASE_URL: fake.url, PLATFORM_SPOOL_DIR: join(folder, String(++count)) },
    ["--concurrency", String(concurrency)],
    {},
    "batch",
  );
  // Three timeouts must be over before the 30 s that a result waits for its events.
  const options = timeout === undefined ? { clock: fastClock(20) } : { clock: fastClock(4), timeout };
  const run = runBatch(tool, fake.url, config, options);
  onFinished(() => run.stop());
  return { fake, run, called };
}

function jobs(...names: string[]): FakeJob[] {
  return names.map((name) => ({ id: `urn:platform:job:${name}`, content: { text: name }, token: `Bearer ${name}` }));
}

const faults: readonly Fault[] = [
  "reset",
  "hang",
  "slow",
  "garbage",
  "truncated",
  "wrong-type",
  "redirect",
  "huge",
  204,
  400,
  404,
  429,
  500,
  503,
  "dead",
];
/** Faults that an event call cannot survive: the sidecar has refused it, or taken it for good. */
const losing: ReadonlySet<Fault> = new Set<Fault>([204, 400, 404, "redirect"]);
/** A result that was answered with 204 is stored, whatever becomes of it: the sidecar's word counts. */
const matrix = (["fetch", "event", "result", "lease"] as const)
  .flatMap((phase) => faults.map((fault) => [phase, fault] as const))
  .filter(([phase, fault]) => phase !== "result" || fault !== 204);

test.concurrent.for(matrix)(
  "%s × %s: no exit, no hot loop, every result once it is back, events in order",
  async ([phase, fault], { onTestFinished, expect }) => {
    const fake = await sidecar(phase === "lease" ? { leases: 1 } : {}, onTestFinished);
    fake.fail(phase, fault, 3);
    fake.add(...jobs("a", "b"));
    // The answer with the first jobs is lost: the platform gives them again when their leases have ended.
    if (phase === "fetch" && fault === "dead") fake.add(...jobs("a", "b", "c"));
    const { run } = scene(fake, 1, onTestFinished, fault === "hang" ? impatient : undefined);
    let ended = false;
    void run.ended.then(() => (ended = true));
    const before = performance.now();
    await fake.until(() =>
      ["a", "b"].every((name) =>
        fake
          .taken("result")
          .some(
            ({ id, status, fault }) =>
              id?.endsWith(`:${name}`) && status > 0 && status < 300 && (fault === undefined || fault === "slow"),
          ),
      ),
    );
    expect(ended).toBe(false);
    for (const name of ["a", "b"]) {
      const about = fake.exchanges.filter(({ id }) => id === `urn:platform:job:${name}`);
      const taken = fake.taken("event").filter(({ id }) => id === `urn:platform:job:${name}`);
      const sequence = [...new Set(taken.map(({ body }) => (body as { sequence: number }).sequence))];
      expect(sequence).toEqual(phase === "event" && losing.has(fault) ? sequence.toSorted() : [1, 2, 3]);
      const firstResult = about.findIndex((one) => one.phase === "result");
      expect(about.slice(firstResult).filter((one) => one.phase === "event")).toEqual([]);
      expect(new Set(about.filter((one) => one.phase !== "fetch").map(({ headers }) => headers.authorization))).toEqual(
        new Set([`Bearer ${name}`]),
      );
    }
    const failing = fake.exchanges.filter((one) => one.phase === phase && one.fault !== undefined).length;
    expect(failing).toBeLessThanOrEqual(4);
    expect(fake.exchanges.length).toBeLessThan(40 + (performance.now() - before) / 5);
  },
);

test("down for a while in the middle of everything: all results, each once, all events in order", async () => {
  const fake = await sidecar();
  const names = Array.from({ length: 20 }, (_, n) => `j${n}`);
  fake.add(...jobs(...names));
  const { called } = scene(fake, 4);
  await fake.until(() => fake.taken("result").length >= 5);
  await fake.pause();
  await sleep(400);
  await fake.resume();
  await fake.until(() => new Set(fake.taken("result").map(({ id }) => id)).size >= 18);
  expect(new Set(called).size).toBe(called.length);
  for (const { id } of fake.taken("result")) {
    const sequence = fake
      .taken("event")
      .filter((one) => one.id === id)
      .map(({ body }) => (body as { sequence: number }).sequence);
    // The connection may be cut when the sidecar has the event already, so one may come twice, with the same number.
    expect(sequence.filter((one, at) => one !== sequence[at - 1])).toEqual([1, 2, 3]);
  }
});

test("a job that comes three times runs once; its result is sent every time", async () => {
  const fake = await sidecar();
  fake.add(...jobs("a", "a", "a"));
  const { called } = scene(fake);
  await fake.until(() => fake.taken("result").length >= 3);
  expect(called).toEqual(["a"]);
  expect(new Set(fake.taken("result").map(({ bytes }) => bytes.toString())).size).toBe(1);
});

test("a job that comes again while it runs is not started twice; the later attempt is answered", async () => {
  const fake = await sidecar({ leases: 15 });
  const twice = { id: "urn:platform:job:a", content: { text: "a", ms: 150 } };
  fake.add(twice, ...jobs("b"), twice);
  const { called } = scene(fake, 3);
  await fake.until(() => fake.taken("result").length >= 2);
  expect(called.toSorted()).toEqual(["a", "b"]);
  const result = fake.taken("result").find(({ id }) => id?.endsWith(":a"));
  expect([result?.headers["job-attempt"], result?.status]).toEqual(["2", 204]);
});

test("every call carries its own job's token and attempt, a question none", async () => {
  const fake = await sidecar({ leases: 15 });
  const names = Array.from({ length: 60 }, (_, n) => `j${n}`);
  fake.add(...jobs(...names).map((job, n) => (n % 3 === 0 ? { id: job.id, content: job.content } : job)));
  scene(fake, 8);
  await fake.until(() => fake.taken("result").length === 60);
  for (const { phase, id, headers, body } of fake.exchanges) {
    const name = id?.split(":").at(-1) ?? "";
    const token = phase === "fetch" || Number(name.slice(1)) % 3 === 0 ? undefined : `Bearer ${name}`;
    expect([headers.authorization, headers["platform-job-id"], headers["job-lease"]]).toEqual([
      token,
      undefined,
      phase === "fetch" ? undefined : "lease-1",
    ]);
    expect(phase === "result" ? body : null).toEqual(phase === "result" ? { text: name, token: token ?? null } : null);
  }
});

test("no more jobs while a result is not taken: the worker ends when it is, however long that takes", async () => {
  const fake = await sidecar();
  fake.add(...jobs("a"));
  fake.finish();
  fake.fail("result", 500, 9);
  const { run } = scene(fake);
  expect(await run.ended).toBe(0);
  expect(fake.taken("result").map(({ status }) => status)).toEqual([204]);
});
