import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { bareEnv } from "../../support/bare-env.ts";
import { jobOf, jobRecord, submit, worker } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

loggingInit({ write() {} });

const leaseSeconds = 1;

/** A platform in a process of its own, which a signal can stop. */
async function platformProcess(): Promise<{
  readonly platform: LocalPlatform;
  kill: (signal: NodeJS.Signals) => void;
}> {
  const script = resolve("test/chaos/platform-process.ts");
  const child = spawn(process.execPath, [script, join(temporaryFolder(), "platform"), "0", String(leaseSeconds)], {
    env: bareEnv(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  await expect.poll(() => said).toContain("listens on");
  const url = /listens on (\S+)/.exec(said)?.[1] ?? "";
  return { platform: { url } as LocalPlatform, kill: (signal) => void child.kill(signal) };
}

test("a platform that is stopped for longer than leases last finds its jobs running, and counts nothing against them", async () => {
  const { platform, kill } = await platformProcess();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  worker(platform, "chaos", async () => {
    runs++;
    await gate.promise;
    return { runs };
  });
  const ids = [jobOf(await submit(platform, "chaos", {})), jobOf(await submit(platform, "chaos", {}))] as const;
  await expect.poll(() => runs).toBe(1);
  for (let round = 0; round < 2; round++) {
    kill("SIGSTOP");
    await wait(2500 * leaseSeconds);
    kill("SIGCONT");
    expect(await jobRecord(platform, ids[0])).toMatchObject({ status: "executing" });
    await wait(1500 * leaseSeconds);
    expect(await jobRecord(platform, ids[0])).toMatchObject({ status: "executing" });
  }
  expect(runs).toBe(1);
  gate.resolve();
  for (const id of ids) expect(await jobRecord(platform, id, 20)).toMatchObject({ status: "succeeded", attempt: 1 });
  expect(runs).toBe(2);
});
