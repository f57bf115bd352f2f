import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { runBatch } from "../../../runtime/start/run-batch.ts";
import { readConfig } from "../../../runtime/service/config/config.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fastClock } from "../../support/fast-clock.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { sidecar } from "./launch.ts";

loggingInit({ write() {} });

const folder = mkdtempSync(join(tmpdir(), "tenon-shutdown-"));
afterAll(() => rmSync(folder, { recursive: true }));

const points = Array.from(
  { length: 24 },
  (_, n) => [n % 2 === 0 ? "with leases" : "without leases", [1, 20, 100, 400][n % 4] ?? 0, 7 * n] as const,
);

test.each(points)(
  "a stop %s, jobs of %d ms, after %d ms: every job that was given ends in exactly one way",
  async (leases, ms, after) => {
    const fake = await sidecar(leases === "with leases" ? { leases: 15 } : {});
    fake.add(...Array.from({ length: 100 }, (_, n) => ({ id: `urn:platform:job:${n}`, content: { text: `${n}` } })));
    const tool = fakeTool(async (_: object, job: JobContext) => {
      job.report.stepStarted("one");
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        job.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(job.signal.reason);
        });
      });
      job.report.stepFinished("one");
      return {};
    });
    const spool = join(folder, `${leases} ${ms} ${after}`);
    const env = { PLATFORM_BASE_URL: fake.url, PLATFORM_SPOOL_DIR: spool, PLATFORM_SHUTDOWN_GRACE: "0.01" };
    // A slow clock: an answer may be late on a busy machine, and a job whose answer is no longer awaited would be lost.
    const clock = fastClock(0.1);
    const run = runBatch(tool, fake.url, readConfig(env, ["--concurrency", "4"], {}, "batch"), { clock });
    await sleep(after);
    await run.stop();
    expect(await run.ended).toBe(0);
    // A question that came when the queue was empty was given nothing.
    const given = fake.taken("fetch").filter(({ status }) => status === 200).length;
    const ends = [...fake.taken("result"), ...fake.taken("release")].map(({ id }) => id);
    expect([ends.length, new Set(ends).size]).toEqual([given, given]);
    expect(() => readdirSync(spool)).toThrow("ENOENT");
  },
);
