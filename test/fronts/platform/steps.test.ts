import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../../cli/commands/platform.ts";
import { flushLogs, loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { step } from "../../support/durable-calls.ts";
import { callAbout, fetchJob, jobOf, jobRecord, localPlatform, submit, worker } from "../../support/local-platform.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "WARNING", write: (line) => lines.push(line) });
});

const demo = { services: [{ definition: { name: "demo" } }] };
const put = (url: string, path: string, headers: Record<string, string>, body: unknown): Promise<number> =>
  fetch(url + path, { method: "PUT", headers, body: JSON.stringify(body) }).then(({ status }) => status);

test("a worker finds what an earlier attempt has kept, and runs the rest", async () => {
  const platform = await localPlatform(demo);
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  const kept = { state: "done", tries: 0, fingerprint: "text", value: '"paid before"', took: 5 };
  expect(await put(platform.url, `/jobs/${id}/steps/charge`, headers, kept)).toBe(204);
  expect(await callAbout(platform, `/jobs/${id}/release`, headers)).toBe(204);
  expect(await put(platform.url, `/jobs/${id}/steps/late`, headers, kept)).toBe(409);
  const calls: string[] = [];
  worker(platform, "demo", async (_: unknown, job) => {
    const charge = await step(job, "charge", () => calls.push("charge"));
    return [charge, await step(job, "ship", ({ attempt }) => `shipped ${calls.push("ship")} ${attempt}`)];
  });
  expect((await jobRecord(platform, id, 10))["result-content"]).toEqual(["paid before", "shipped 1 1"]);
  expect(calls).toEqual(["ship"]);
  const history = await (await fetch(`${platform.url}/jobs/${id}/history`)).json();
  expect(history).toMatchObject({ kept: { charge: "paid before", ship: "shipped 1 1" } });
  expect(await put(platform.url, `/jobs/${id}/steps/late`, headers, kept)).toBe(410);
});

test("a platform keeps the request of a job, but a long one after the job's end only if it has stored steps", async () => {
  const platform = await localPlatform(demo);
  const at = ["--url", platform.url];
  const request = { text: "a", apiKey: "abc" };
  const kept = jobOf(await submit(platform, "demo", request));
  const plain = jobOf(await submit(platform, "demo", {}));
  // The longest request that is kept, as its text in the store is twice as long.
  const quotes = { quotes: '"'.repeat(4994) };
  const most = jobOf(await submit(platform, "demo", quotes));
  const long = jobOf(await submit(platform, "demo", { long: "x".repeat(21_000) }));
  const requestOf = (id: string, headers = {}): Promise<Response> =>
    fetch(`${platform.url}/jobs/${id}/request`, { headers });
  const waiting = await requestOf(kept);
  expect([waiting.headers.get("content-type"), await waiting.json()]).toEqual(["application/json", request]);
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(await run(["jobs", kept, ...at])).toBe(0);
  expect(JSON.parse(String(out.mock.calls.at(-1)?.[0]))).toMatchObject({
    status: "pending",
    request: { text: "a", apiKey: "[redacted]" },
  });
  const { headers } = await fetchJob(platform, "demo");
  expect([(await requestOf(kept, headers)).status, (await requestOf(plain, headers)).status]).toEqual([200, 403]);
  expect(await callAbout(platform, `/jobs/${kept}/release`, headers)).toBe(204);
  worker(platform, "demo", async ({ text }: { text?: string }, job) =>
    text === undefined ? 2 : step(job, "charge", () => 1),
  );
  for (const id of [kept, plain, most, long]) await jobRecord(platform, id, 10);
  expect(await (await requestOf(kept)).json()).toEqual(request);
  expect(await (await requestOf(plain)).json()).toEqual({});
  expect(await (await requestOf(most)).json()).toEqual(quotes);
  expect((await requestOf(long)).status).toBe(410);
  expect(await run(["jobs", long, ...at])).toBe(0);
  expect(JSON.parse(String(out.mock.calls.at(-1)?.[0]))).not.toHaveProperty("request");
  out.mockRestore();
});

test("a step that the platform cannot read is refused, and so is somebody without the job's token", async () => {
  const platform = await localPlatform(demo);
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  const good = { state: "done", tries: 0, fingerprint: "f" };
  const bad = [
    {},
    null,
    { ...good, state: "?" },
    { ...good, tries: "1" },
    { ...good, value: 1 },
    { ...good, error: 1 },
  ];
  for (const body of bad) expect(await put(platform.url, `/jobs/${id}/steps/a`, headers, body)).toBe(400);
  const large = { ...good, value: JSON.stringify("x".repeat(1024 * 1024)) };
  expect(await put(platform.url, `/jobs/${id}/steps/a`, headers, large)).toBe(413);
  expect(await put(platform.url, `/jobs/${id}/steps/a`, {}, good)).toBe(401);
  expect(await put(platform.url, `/jobs/urn:platform:job:b/steps/a`, headers, good)).toBe(403);
  expect(await put(platform.url, `/jobs/${id}/steps/a%5B1%5D`, headers, good)).toBe(204);
  const read = await fetch(`${platform.url}/jobs/${id}/steps`, { headers });
  expect(await read.json()).toMatchObject({ steps: [{ key: "a[1]", state: "done", attempt: 1 }] });
});

test("a kept result that does not fit makes a dead letter, and `fork --from` runs the job again from there", async () => {
  const platform = await localPlatform(demo);
  const at = ["--url", platform.url];
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  for (const [key, value] of Object.entries({ first: '"one"', charge: "5" })) {
    const kept = { state: "done", tries: 0, fingerprint: "text", value };
    expect(await put(platform.url, `/jobs/${id}/steps/${key}`, headers, kept)).toBe(204);
  }
  await callAbout(platform, `/jobs/${id}/release`, headers);
  worker(platform, "demo", async (_: unknown, job) => [
    await step(job, "first", () => "again"),
    await step(job, "charge", () => "two").catch(() => "caught"),
  ]);
  expect(await jobRecord(platform, id, 10)).toMatchObject({
    status: "error",
    "error-kind": "outdated",
    "dead-letter": true,
    "error-message": expect.stringContaining("step charge") as string,
  });
  const { items } = (await (await fetch(`${platform.url}/dead-letters`)).json()) as { items: unknown[] };
  expect(items).toMatchObject([{ id, "error-kind": "outdated" }]);
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(await run(["fork", id, "--from", "charge", "--json", ...at])).toBe(0);
  const { "job-id": again } = JSON.parse(String(out.mock.calls.at(-1)?.[0])) as { "job-id": string };
  out.mockRestore();
  expect((await jobRecord(platform, again, 10))["result-content"]).toEqual(["one", "two"]);
  await expect(run(["fork", id, "--from", "nothing", ...at])).rejects.toThrow('The job has no step "nothing"');
  await expect(run(["fork", ...at])).rejects.toThrow("Name the job");
  const plain = jobOf(await submit(platform, "demo", {}, { timeout: "10" }));
  await expect(run(["fork", plain, ...at])).resolves.toBe(0);
});

test("a platform without that route: a worker keeps the steps for the attempt, and says so once", async () => {
  const results: unknown[] = [];
  let given = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path.includes("next_job")) {
      given += 1;
      if (given > 2) return void response.writeHead(204, { "retry-after": "0.1" }).end();
      const body = JSON.stringify({ id: `job-${given}`, "in-content-type": "application/json", "in-content": {} });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    } else if (path.includes("/results/")) {
      request.on("data", (chunk) => results.push(JSON.parse(String(chunk))));
      request.on("end", () => response.writeHead(204).end());
    } else response.writeHead(path.includes("/steps") ? 404 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  worker({ url } as Parameters<typeof worker>[0], "demo", async (_: unknown, job) => step(job, "a", () => "kept"));
  await expect.poll(() => results).toEqual(["kept", "kept"]);
  await flushLogs();
  expect(lines.filter((line) => line.includes("the platform keeps no steps"))).toHaveLength(1);
});
