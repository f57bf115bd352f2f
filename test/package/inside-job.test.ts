import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";

const files = {
  "src/service.ts": `import { Service, loggingInit, startLambdaServer } from "tenon";
import "./wait.js";

loggingInit();
await startLambdaServer(new Service({ name: "Waiter" }));
`,
  "src/wait.ts": `import { getJobId, getLogger, platformLambda } from "tenon";
import type { JobContext } from "tenon";

const log = getLogger("wait");

/** Waits until it is stopped. */
export const wait = platformLambda(async (job: JobContext): Promise<string> => {
  const address = process.env["TIDY_URL"] ?? "";
  await fetch(address + "/begun");
  await new Promise((_, refuse) => {
    job.signal.addEventListener("abort", () => {
      log.info({ seen: getJobId() }, "tidied up");
      void fetch(address + "/tidy").finally(() => refuse(job.signal.reason));
    });
  });
  return "never";
}, { name: "waiter" });
`,
};

interface Asked {
  readonly path: string;
  readonly job: string | undefined;
}

let user: PackedProject;
let other: Server;
let service: Served;
const asked: Asked[] = [];
beforeAll(async () => {
  user = packedProject(files);
  expect(user.tenon("build")).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/TN\d{3}/) });
  // The platform's sidecar, and the other service that a listener calls.
  other = createServer(({ url = "", headers }, response) => {
    asked.push({ path: url, job: headers["platform-job-id"] as string | undefined });
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  service = await serve(join(user.root, "dist/service.mjs"), [], {
    PLATFORM_BASE_URL: url,
    TIDY_URL: url,
    PLATFORM_SHUTDOWN_GRACE: "0",
  });
});
afterAll(async () => {
  await service.stop();
  other.close();
  user.dispose();
});

function jobsOf(path: string): readonly (string | undefined)[] {
  return asked.filter((one) => one.path === path).map(({ job }) => job);
}

function tidied(): readonly { readonly job_id: string; readonly seen: string; readonly tool: string }[] {
  const lines = service.stderr().split("\n");
  return lines.filter((line) => line.includes("tidied up")).map((line) => JSON.parse(line) as never);
}

test("an abort listener runs in its job, whoever stops it, and a tool has one name", async () => {
  const post = (id: string, more: RequestInit = {}): Promise<Response> =>
    fetch(`${service.url}/tool/waiter`, { method: "POST", headers: { "job-id": id, prefer: "wait=0" }, ...more });
  const urn = (id: string): string => `urn:platform:job:${id}`;

  expect((await post("cancelled")).status).toBe(202);
  await expect.poll(() => jobsOf("/begun")).toContain(urn("cancelled"));
  await fetch(`${service.url}/jobs/cancelled`, { method: "DELETE" });
  await expect.poll(() => jobsOf("/tidy")).toEqual([urn("cancelled")]);

  const gone = new AbortController();
  const left = fetch(`${service.url}/tool/waiter`, { method: "POST", signal: gone.signal }).catch(() => "left");
  await expect.poll(() => jobsOf("/begun")).toHaveLength(2);
  gone.abort();
  expect(await left).toBe("left");
  await expect.poll(() => jobsOf("/tidy")).toHaveLength(2);

  await post("interrupted");
  await expect.poll(() => jobsOf("/begun")).toContain(urn("interrupted"));
  service.child.kill("SIGTERM");
  await expect.poll(() => jobsOf("/tidy")).toContain(urn("interrupted"));

  expect(jobsOf("/tidy")).toEqual(jobsOf("/begun"));
  await expect.poll(tidied).toHaveLength(3);
  expect(tidied().map(({ job_id, seen, tool }) => [job_id, seen, tool])).toEqual(
    jobsOf("/begun").map((job) => [job, job, "waiter"]),
  );
  expect(service.stderr()).not.toContain("loggingInit");
});
