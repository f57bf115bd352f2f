import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { WorkerLine } from "../../../cli/local-platform/workers/run-workers.ts";
import { startWorker } from "../../../cli/local-platform/workers/worker-process.ts";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import { fastClock } from "../../support/fast-clock.ts";
import { jobOf, jobRecord, localPlatform, submit } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const main = join(import.meta.dirname, "../../../cli/main.ts");

/** A worker that takes one job and then does what the job says; on SIGTERM it gives back what it has. */
const script = `
const base = process.env.PLATFORM_BASE_URL;
const answer = await fetch(base + "/next_job?wait=20");
if (answer.status !== 200) process.exit(0);
const { id, "in-content": { how } } = await answer.json();
const headers = { authorization: answer.headers.get("authorization"), "content-type": "application/json" };
console.error("got the job, MY_TOKEN is " + process.env.MY_TOKEN + ", mine is " + headers.authorization);
if (how === "exit") process.exit(3);
if (how === "leave") process.exit(0);
if (how === "kill") process.kill(process.pid, "SIGKILL");
if (how === "wait") {
  setInterval(() => {}, 1000);
  process.on("SIGTERM", () => fetch(base + "/jobs/" + id + "/release", { method: "POST", headers }).then(() => process.exit(0)));
  console.log("waiting");
} else {
  await fetch(base + "/results/" + id, { method: "POST", headers, body: "{}" });
  process.exit(0);
}`;

interface Scene {
  readonly platform: LocalPlatform;
  readonly lines: WorkerLine[];
  readonly dead: (id: string) => Promise<Record<string, unknown> | undefined>;
}

/** A platform with a worker under it; a lease that nobody takes away lasts for an hour. */
async function scene(): Promise<Scene> {
  const lines: WorkerLine[] = [];
  const folder = temporaryFolder({ "worker.mjs": script });
  const platform = await localPlatform({
    leaseSeconds: 3600,
    workers: {
      orders: [{ service: "demo", command: `node ${join(folder, "worker.mjs")}` }],
      env: { PATH: process.env["PATH"], MY_TOKEN: "abcdef-secret" },
      onLine: (line) => void lines.push(line),
      clock: fastClock(1000),
    },
  });
  return {
    platform,
    lines,
    async dead(id) {
      const { items } = (await (await fetch(`${platform.url}/dead-letters`)).json()) as {
        items: Record<string, unknown>[];
      };
      return items.find((item) => item["id"] === id);
    },
  };
}

test.each([
  ["exit", "exit code 3"],
  ["kill", "signal SIGKILL"],
  // In order for others, not for the job that it had.
  ["leave", "exit code 0"],
])(
  "a job that ends its worker by %s is a dead letter at once, with the end and the log of the last one",
  async (how, end) => {
    const { platform, lines, dead } = await scene();
    const id = jobOf(await submit(platform, "demo", { how }));
    const record = await jobRecord(platform, id, 30);
    const log = ["got the job, MY_TOKEN is [redacted], mine is Bearer [redacted]"];
    const known = { detail: `The last worker of demo ended with ${end}.`, "log-tail": log };
    expect(record).toMatchObject({ status: "error", "error-kind": "interrupted", attempt: 3, ...known });
    expect(await dead(id)).toMatchObject({ attempt: 3, ...known });
    expect(lines.filter(({ kind }) => kind === "log").map(({ text }) => text)).toEqual([...log, ...log, ...log]);
    expect(lines[1]).toEqual({
      kind: "state",
      service: "demo",
      text: `the worker ended with ${end}, with a job in its hands`,
    });
    // The next worker is there for the next job; one that ends with 0 is not started again.
    const next = jobOf(await submit(platform, "demo", {}));
    expect((await jobRecord(platform, next, 30))["status"]).toBe("succeeded");
    await expect.poll(() => lines.at(-1)?.text).toBe("the worker ended with exit code 0");
  },
);

test.each(["exec node -p 7", " A=1 exec node -p 7", "A=1 node -p 7", "node -p 7"])(
  "a command may say that it takes the place of the shell: %s",
  async (command) => {
    const lines: string[] = [];
    const worker = startWorker({
      command,
      env: { PATH: process.env["PATH"] },
      redact: (line) => line,
      onLine: (line) => void lines.push(line),
    });
    expect([await worker.ended, lines]).toEqual([{ code: 0, signal: null }, ["7"]]);
  },
);

test("as a process: SIGTERM ends the workers first, and what they give back costs no attempt", async () => {
  const folder = temporaryFolder({ "worker.mjs": script });
  const child = spawn(process.execPath, [main, "platform", "--port", "0", "--run", "demo=node worker.mjs"], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  const said = (text: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = text.exec(stderr)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stderr.on("data", look);
      look();
    });
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const url = await said(/listens on (http:\S+)\n/);
  const answer = await fetch(`${url}/services2/demo/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"how":"wait"}',
  });
  expect(answer.status).toBe(202);
  await said(/demo \| (waiting)\n/);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(stderr).toMatch(/stopping\n(?:.*released\n)?.*demo the worker ended with exit code 0\n$/s);

  const again = await localPlatform({ folder: join(folder, ".tenon/platform") });
  expect(await jobRecord(again, jobOf(answer))).toMatchObject({ status: "pending", attempt: 0 });
});
