import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { runBatch } from "../../../runtime/start/run-batch.ts";
import { readConfig } from "../../../runtime/service/config/config.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fastClock } from "../../support/fast-clock.ts";
import type { FakeSidecar, Fault } from "../../support/fake-sidecar.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { sidecar } from "./launch.ts";

loggingInit({ write() {} });

const folder = mkdtempSync(join(tmpdir(), "tenon-artifact-faults-"));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true }));

type OnFinished = (end: () => Promise<void>) => void;

/** Timeout of a call that hangs; no other may run into one, however busy the machine is. */
const impatient = 1000;

/** A worker that reads an artifact and stores its content in capitals as another, for the jobs `a` and `b`. */
async function scene(onFinished: OnFinished, fault: Fault): Promise<FakeSidecar> {
  const fake = await sidecar({ leases: 600 }, onFinished);
  for (const name of ["a", "b"]) {
    fake.artifacts.put(name, `content of ${name}`);
    fake.add({ id: `urn:platform:job:${name}`, content: { text: name }, token: `Bearer ${name}` });
  }
  const tool = fakeTool(async ({ text }: { text: string }, job: JobContext) => {
    const artifact = await job.platform.getArtifact(`urn:platform:artifact:${text}`);
    const content = Buffer.from(await artifact.bytes()).toString();
    const copy = await job.platform.uploadArtifact({ name: `copy of ${text}`, content: content.toUpperCase() });
    return { copy: copy.urn };
  });
  const env = { PLATFORM_BASE_URL: fake.url, PLATFORM_SPOOL_DIR: join(folder, String(++count)) };
  const run = runBatch(tool, fake.url, readConfig(env, [], {}, "batch"), {
    clock: fastClock(40),
    ...(fault === "hang" && { timeout: impatient }),
  });
  onFinished(() => run.stop());
  return fake;
}

/** The jobs that ended, true for an error. Results travel side by side, so that their order says nothing. */
function ends(fake: FakeSidecar): string[] {
  return fake
    .taken("result")
    .map(({ id, headers }) => `${id?.split(":").at(-1)} ${headers["is-error"]}`)
    .toSorted();
}

/** Copies that hold what they should; every other one would be a result that is wrong and says nothing. */
function goodCopies(fake: FakeSidecar): string[] {
  return [...fake.artifacts.all.values()]
    .filter(({ name, content }) => content.toString() === `content of ${name.at(-1)}`.toUpperCase())
    .map(({ name }) => name);
}

/** The next try may do better. */
const passing: readonly Fault[] = ["reset", "hang", "slow", "garbage", "dead", 408, 429, 500, 503];
/** The platform's word, or the beginning of something else: the job fails, and the next one is not affected. */
const final: readonly Fault[] = ["redirect", "huge", "wrong-type", "truncated", 204, 400, 401, 403, 404, 410];

/** The calls of a job, and how many are before each. */
const calls = [
  ["the question for an artifact", 0],
  ["its content", 1],
  ["an upload", 2],
] as const;

function matrix(faults: readonly Fault[]): readonly (readonly [string, Fault, number])[] {
  return calls.flatMap(([call, before]) => faults.map((fault) => [call, fault, before] as const));
}

test.concurrent.for(matrix(passing))(
  "%s × %s: every job ends well, with one copy",
  async ([, fault, before], { onTestFinished, expect }) => {
    const fake = await scene(onTestFinished, fault);
    fake.fail("artifact", "none", before);
    fake.fail("artifact", fault, 2);
    await fake.until(() => ends(fake).length === 2);
    expect([ends(fake), goodCopies(fake), fake.artifacts.all.size]).toEqual([
      ["a false", "b false"],
      ["copy of a", "copy of b"],
      4,
    ]);
    expect(fake.exchanges.filter((one) => one.phase === "artifact").length).toBeLessThanOrEqual(16);
  },
);

test.concurrent.for(matrix(final))(
  "%s × %s: one result, no copy of something else, and the next job ends well",
  async ([, fault, before], { onTestFinished, expect }) => {
    const fake = await scene(onTestFinished, fault);
    fake.fail("artifact", "none", before);
    fake.fail("artifact", fault);
    await fake.until(() => ends(fake).length === 2);
    const [first, second] = ends(fake);
    // A head that says nothing is no fault: what it does not tell stays unknown.
    expect([first === "a false", second]).toEqual([goodCopies(fake).includes("copy of a"), "b false"]);
    expect(fake.artifacts.all.size).toBe(2 + goodCopies(fake).length);
    expect(fake.exchanges.filter((one) => one.phase === "artifact").length).toBeLessThanOrEqual(16);
  },
);

test("nobody listens for a while: jobs in the middle of their artifacts end well afterwards", async () => {
  const fake = await scene(onTestFinished, "hang");
  fake.fail("artifact", "none", 1);
  fake.fail("artifact", "hang");
  await fake.until((all) => all.filter((one) => one.phase === "artifact").length === 2);
  await fake.pause();
  await sleep(200);
  await fake.resume();
  await fake.until(() => ends(fake).length === 2);
  expect([ends(fake), goodCopies(fake)]).toEqual([
    ["a false", "b false"],
    ["copy of a", "copy of b"],
  ]);
});
