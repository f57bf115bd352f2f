import { expect, test } from "vitest";
import { callAbout, fetchJob, localPlatform, submit } from "../../support/local-platform.ts";
import { VirtualClock } from "../../unit/runtime/executor/store/store-model.ts";

const none = { waiting: 0, running: 0, "oldest-waiting-seconds": 0, dead: 0 };
const services = [
  { definition: { name: "One tool", tools: [{ name: "isPrime" }] } },
  { definition: { name: "Two", tools: [{ name: "a" }, { name: "b" }] } },
];

test("GET /queue and /metrics: the jobs of each service, and of its tool where it has one", async () => {
  const clock = new VirtualClock();
  const platform = await localPlatform({ services, now: clock.now, strangers: "submit" });
  const queue = async (): Promise<unknown> => (await fetch(`${platform.url}/queue`)).json();
  expect(await queue()).toEqual({
    ...none,
    services: { "one-tool": { ...none, tools: { isPrime: none } }, two: { ...none, tools: {} } },
  });
  for (const service of ["one-tool", "one-tool", "two"]) await submit(platform, service, {});
  const { headers } = await fetchJob(platform, "one-tool");
  clock.advance(2000);
  const one = { ...none, waiting: 1, running: 1, "oldest-waiting-seconds": 2 };
  const two = { ...none, waiting: 1, "oldest-waiting-seconds": 2 };
  expect(await queue()).toEqual({
    ...one,
    waiting: 2,
    services: { "one-tool": { ...one, tools: { isPrime: one } }, two: { ...two, tools: {} } },
  });
  const answer = await fetch(`${platform.url}/metrics`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const text = await answer.text();
  expect(text).toMatch(/^platform_jobs_running\{service="one-tool",tool="isPrime".*\} 1$/m);
  expect(text).toMatch(/^platform_jobs_oldest_waiting_seconds\{service="two".*\} 2$/m);
  // A job's token is for its job.
  for (const path of ["queue", "metrics"]) {
    expect((await fetch(`${platform.url}/${path}`, { headers })).status).toBe(403);
    expect(await callAbout(platform, `/${path}`, {})).toBe(405);
  }
});

test("strangers without rights do not see how much is to be done", async () => {
  const platform = await localPlatform({ services, strangers: "none" });
  for (const path of ["queue", "metrics"]) expect((await fetch(`${platform.url}/${path}`)).status).toBe(401);
});
