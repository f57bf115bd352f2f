import { expect, onTestFinished, test } from "vitest";
import { runBatch } from "../../../runtime/start/run-batch.ts";
import { readConfig } from "../../../runtime/service/config/config.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fastClock } from "../../support/fast-clock.ts";
import type { Exchange, FakeSidecar } from "../../support/fake-sidecar.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { jobOf, localPlatform, submit, worker } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { sidecar } from "./launch.ts";

loggingInit({ write() {} });

const id = "urn:platform:job:a";

interface Scene {
  readonly fake: FakeSidecar;
  /** Lets the tool go on behind its second event. */
  readonly open: () => void;
  /** Tokens of the job, as the tool saw them at its start and at its end. */
  readonly tokens: (string | undefined)[];
  /** Gives the job, under its next attempt. */
  give(attempt: number): void;
}

/** A worker whose tool reports two events, waits, and reports two more. */
async function scene(): Promise<Scene> {
  const fake = await sidecar({ leases: 15 });
  const gate = deferred();
  const tokens: (string | undefined)[] = [];
  const tool = fakeTool(async (_: object, job: JobContext) => {
    tokens.push(job.jobAuthorization);
    for (const name of ["one", "two"]) job.report.stepStarted(name);
    await gate.promise;
    for (const name of ["three", "four"]) job.report.stepStarted(name);
    tokens.push(job.jobAuthorization);
    return { done: true };
  });
  const env = { PLATFORM_BASE_URL: fake.url, PLATFORM_SPOOL_DIR: temporaryFolder() };
  const config = readConfig(env, ["--concurrency", "2"], {}, "batch");
  const run = runBatch(tool, fake.url, config, { clock: fastClock(20) });
  onTestFinished(() => {
    gate.resolve();
    return run.stop();
  });
  return { fake, tokens, open: gate.resolve, give: (attempt) => fake.add({ id, token: `Bearer ${attempt}` }) };
}

function ownOf({ headers }: Exchange): unknown[] {
  return [headers["job-attempt"], headers["job-lease"], headers.authorization];
}

function eventsOf(fake: FakeSidecar, attempt: number): Exchange[] {
  return fake.taken("event").filter(({ headers }) => headers["job-attempt"] === String(attempt));
}

function numbers(events: readonly Exchange[]): unknown[] {
  return events.map(({ body }) => (body as { readonly sequence: number }).sequence);
}

test("given again while it runs, after an event was refused: all events are the later attempt's, before its result", async () => {
  const { fake, open, tokens, give } = await scene();
  fake.fail("event", "none");
  fake.fail("event", 409);
  give(1);
  await fake.until((all) => all.some(({ phase, status }) => phase === "event" && status === 409));
  give(2);
  await fake.until(() => eventsOf(fake, 2).length === 2);
  open();
  await fake.until(() => fake.taken("result").some(({ status }) => status > 0));
  const own = ["2", "lease-2", "Bearer 2"];
  expect(eventsOf(fake, 2).map((one) => [...ownOf(one), one.status])).toEqual(
    Array.from({ length: 4 }, () => [...own, 204]),
  );
  expect(numbers(eventsOf(fake, 2))).toEqual([1, 2, 3, 4]);
  expect(fake.taken("result").map((one) => [...ownOf(one), one.status])).toEqual([[...own, 204]]);
  expect(fake.exchanges.findLast(({ id: about }) => about === id)?.phase).toBe("result");
  expect(tokens).toEqual(["Bearer 1", "Bearer 2"]);
});

test("given again while its result is on its way: the result is the later attempt's, behind all events", async () => {
  const { fake, open, tokens, give } = await scene();
  fake.fail("result", 503, Infinity);
  open();
  give(1);
  await fake.until((all) => all.some(({ phase, status }) => phase === "result" && status === 503));
  give(2);
  await fake.until(() => eventsOf(fake, 2).length === 4);
  fake.heal();
  await fake.until(() => fake.taken("result").some(({ status }) => status === 204));
  expect(numbers(eventsOf(fake, 2))).toEqual([1, 2, 3, 4]);
  expect(ownOf(fake.taken("result").at(-1) as Exchange)).toEqual(["2", "lease-2", "Bearer 2"]);
  expect(tokens.length).toBe(2);
});

test("on the platform: a job that goes on under its next attempt has all events, numbered without gaps", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "batch" } }] });
  const begun: JobContext[] = [];
  const gate = deferred();
  worker(
    platform,
    "batch",
    async (_: object, job: JobContext) => {
      begun.push(job);
      for (const name of ["one", "two"]) job.report.stepStarted(name);
      await gate.promise;
      for (const name of ["three", "four"]) job.report.stepStarted(name);
      return {};
    },
    { concurrency: 2 },
  );
  onTestFinished(() => gate.resolve());
  const id = jobOf(await submit(platform, "batch", {}));
  const read = async (count: number): Promise<{ SeqID: string; data: { name?: string; status?: string } }[]> => {
    const path = `/services2/batch/jobs/${id}/events?max-messages=${count}`;
    const text = await (await fetch(platform.url + path)).text();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
  };
  await read(2);
  const first = begun[0]?.jobAuthorization ?? "";
  // It is given away by its own token, and comes back to the same worker.
  const released = await fetch(`${platform.baseUrl("batch")}/jobs/${id}/release`, {
    method: "POST",
    headers: { authorization: first },
  });
  expect(released.status).toBe(204);
  await read(4);
  expect(begun[0]?.jobAuthorization).not.toBe(first);
  gate.resolve();
  const told = await read(8);
  expect(told.map(({ SeqID, data }) => [Number(SeqID), data.name ?? data.status])).toEqual([
    ...["one", "two", "one", "two", "three", "four"].map((name, index) => [index + 1, name]),
    [7, undefined],
    [8, "succeeded"],
  ]);
  expect(begun.length).toBe(1);
});
