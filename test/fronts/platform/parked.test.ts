import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../../cli/commands/platform.ts";
import { step, wait } from "../../support/durable-calls.ts";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { callAbout, fetchJob, jobOf, jobRecord, localPlatform, submit, worker } from "../../support/local-platform.ts";
import { serve } from "../../support/serve.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

beforeEach(() => loggingInit({ write() {} }));

const waits = [
  { name: "approval", "message-schema": { type: "string" } },
  { name: "item", keyed: true, "message-schema": { type: "string" } },
  { name: "audit", scope: "auditor", "message-schema": { type: "string" } },
];
const definition = { name: "demo", tools: [{ name: "demo", path: "/tool", durable: true, waits }] };
const demo = { services: [{ definition }] };

async function send(
  { url }: Pick<LocalPlatform, "url">,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<[number, Record<string, unknown>]> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return [answer.status, (await answer.json()) as Record<string, unknown>];
}

function waitingFor(platform: LocalPlatform, id: string): ReturnType<typeof expect.poll> {
  return expect.poll(async () => (await jobRecord(platform, id))["waits-for"]);
}

test("a long wait gives the worker back, and a message brings the job back with what it had kept", async () => {
  const platform = await localPlatform(demo);
  const calls: string[] = [];
  worker(platform, "demo", async ({ quick }: { readonly quick?: true }, job) => {
    if (quick === true) return "at once";
    const charge = await step(job, "charge", () => `charged ${calls.push("charge")}`);
    return [charge, await wait(job, "approval", { within: "3 days" }), calls.push("end")];
  });
  const id = jobOf(await submit(platform, "demo", {}));
  await waitingFor(platform, id).toMatchObject({ message: "approval", until: expect.any(String) as string });
  expect(await jobRecord(platform, id)).toMatchObject({ status: "pending", attempts: [{ status: "parked" }] });
  // The worker runs one job at a time.
  const other = await submit(platform, "demo", { quick: true }, { timeout: "10" });
  expect(await other.json()).toBe("at once");
  const key = { "idempotency-key": "one" };
  expect(await send(platform, `/jobs/${id}/messages/approval`, "yes", key)).toEqual([
    202,
    { "job-id": id, message: "approval", status: "sent" },
  ]);
  expect(await jobRecord(platform, id, 10)).toMatchObject({ "result-content": ["charged 1", "yes", 2], attempt: 1 });
  expect((await send(platform, `/jobs/${id}/messages/approval`, "no"))[0]).toBe(410);
});

test("a sleep ends by the platform's clock, and a time is shown", async () => {
  let ahead = 0;
  const platform = await localPlatform({ ...demo, now: () => performance.now() + ahead });
  worker(platform, "demo", async (_: unknown, job: JobContext) => {
    await job.sleep("1 day");
    return "rested";
  });
  const id = jobOf(await submit(platform, "demo", {}));
  await waitingFor(platform, id).toMatchObject({ time: expect.any(String) as string });
  ahead = 86_400_000;
  expect(await jobRecord(platform, id, 10)).toMatchObject({ status: "succeeded", "result-content": "rested" });
});

test("a message reaches a job that waits in its worker, and one that came before its wait", async () => {
  const platform = await localPlatform(demo);
  worker(platform, "demo", async (_: unknown, job) => [
    await wait(job, "item", { key: "a", within: "50 seconds" }),
    await wait(job, "item", { key: "b", within: "50 seconds" }),
  ]);
  const id = jobOf(await submit(platform, "demo", {}));
  const [early] = await send(platform, `/services2/demo/jobs/${id}/messages/item?key=b`, "second");
  expect(early).toBe(202);
  await expect.poll(async () => (await jobRecord(platform, id))["status"]).toBe("executing");
  expect((await send(platform, `/jobs/${id}/messages/item?key=a`, "first"))[0]).toBe(202);
  expect((await jobRecord(platform, id, 10))["result-content"]).toEqual(["first", "second"]);
});

test("`tenon platform send` sends a message from a file or the command line", async () => {
  const platform = await localPlatform(demo);
  const id = jobOf(await submit(platform, "demo", {}));
  const at = ["--url", platform.url];
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await run(["send", id, "item", '"yes"', "--key", "a", "--once", "1", ...at])).toBe(0);
  expect(await run(["send", id, "item", '"yes"', "--key", "a", "--once", "1", ...at])).toBe(0);
  expect(said.mock.calls.map(([line]) => String(line).replace(id, "ID"))).toEqual([
    "item sent to ID\n",
    "item was sent to ID before\n",
  ]);
  const file = join(temporaryFolder(), "message.json");
  writeFileSync(file, '"from a file"');
  expect(await run(["send", id, "approval", `@${file}`, "--json", ...at])).toBe(0);
  expect(JSON.parse(String(out.mock.lastCall?.[0]))).toEqual({ "job-id": id, message: "approval", status: "sent" });
  await expect(run(["send", id, "approval", "{", ...at])).rejects.toThrow("JSON");
  await expect(run(["send", id, "approval", "5", ...at])).rejects.toThrow(/\.\n {2}\(request\): .*string/i);
  await expect(run(["send", id, "approval", ...at])).rejects.toThrow("Name the job and the message");
});

test("messages are checked by the definition, and an approval is not given by a job", async () => {
  const platform = await localPlatform(demo);
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  const to = (name: string): string => `/jobs/${id}/messages/${name}`;
  const own = { authorization: headers["authorization"] ?? "" };
  expect((await send(platform, to("approval"), 5))[0]).toBe(422);
  expect((await send(platform, to("approvel"), "yes"))[1]).toMatchObject({
    detail: expect.stringContaining("It waits for: approval, item, audit") as string,
  });
  expect((await send(platform, to("item"), "yes"))[0]).toBe(400);
  expect((await send(platform, to("approval?key=1"), "yes"))[0]).toBe(400);
  expect((await send(platform, to("audit"), "yes", own))[0]).toBe(403);
  expect((await send(platform, to("audit"), "yes"))[0]).toBe(202);
  expect((await send(platform, to(""), "yes"))[0]).toBe(404);
  expect((await send(platform, "/jobs/urn:platform:job:none/messages/audit", "yes"))[0]).toBe(404);
});

test("a message that several tools wait for is checked by all of them", async () => {
  const tools = [
    { name: "pay", waits: [{ name: "approval", "message-schema": { type: "string" } }] },
    { name: "hire", waits: [{ name: "approval", keyed: true, scope: "boss", "message-schema": { type: "boolean" } }] },
  ];
  const platform = await localPlatform({ services: [{ definition: { name: "demo", tools } }] });
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  const own = { authorization: headers["authorization"] ?? "" };
  const statusOf = async (path: string, body: unknown, as = {}): Promise<number> =>
    (await send(platform, `/jobs/${id}/messages/${path}`, body, as))[0];
  expect(await statusOf("approval", "yes", own)).toBe(403);
  expect(await statusOf("approval", "yes")).toBe(202);
  expect(await statusOf("approval?key=1", true)).toBe(202);
  expect(await statusOf("approval", 5)).toBe(422);
});

test("a place in the line is given back only by who holds it, for a time or a message", async () => {
  const platform = await localPlatform(demo);
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  const park = (body: unknown, as = headers): Promise<number> => callAbout(platform, `/jobs/${id}/park`, as, body);
  const bad = [{}, null, { delay: -1 }, { delay: "1" }, { waits: [] }, { waits: [1] }, { waits: "a" }, { until: "x" }];
  for (const body of bad) expect(await park(body)).toBe(400);
  expect(await park({ delay: 1 }, {})).toBe(401);
  const other = jobOf(await submit(platform, "demo", {}));
  expect(await callAbout(platform, `/jobs/${other}/park`, headers, { delay: 1 })).toBe(403);
  const read = await fetch(`${platform.url}/jobs/${id}/messages?after=x`, { headers });
  expect(read.status).toBe(400);
  expect(await park({ waits: ["approval"] })).toBe(204);
  expect(await park({ waits: ["approval"] })).toBe(409);
  const stale = await fetch(`${platform.url}/jobs/${id}/messages`, { headers: { ...headers, "job-lease": "other" } });
  expect(stale.status).toBe(409);
  expect(await fetchJob(platform, "demo", 0)).toMatchObject({ id: other });
  expect((await send(platform, `/jobs/${id}/messages/approval`, "yes"))[0]).toBe(202);
  expect(await fetchJob(platform, "demo", 10)).toMatchObject({ id });
});

test("jobs that a REST service has parked hold none of the platform's calls; messages and cancels are passed on", async () => {
  const platform = await localPlatform(demo);
  const tool = fakeTool(
    async ({ quick }: { readonly quick?: true }, job: JobContext) =>
      quick === true ? "at once" : await wait(job, "approval", { within: "3 days" }),
    { definition: { durable: true, waits: [{ name: "approval" }] } },
  );
  const server = await serve([tool], {}, {}, []);
  onTestFinished(() => server.stop());
  await platform.register({ definition, url: server.url });
  const ids: string[] = [];
  // The platform has 32 calls for a service.
  for (let count = 0; count < 33; count++) ids.push(jobOf(await submit(platform, "demo", {})));
  const [first = "", second = ""] = ids;
  await waitingFor(platform, second).toEqual({ message: "approval" });
  const other = await submit(platform, "demo", { quick: true }, { timeout: "20" });
  expect(await other.json()).toBe("at once");
  await waitingFor(platform, first).toEqual({ message: "approval" });
  expect((await send(platform, `/jobs/${first}/messages/nothing`, "yes"))[0]).toBe(404);
  expect((await send(platform, `/jobs/${first}/messages/approval`, "yes"))[0]).toBe(202);
  expect((await jobRecord(platform, first, 10))["result-content"]).toBe("yes");
  await fetch(`${platform.url}/jobs/${second}`, { method: "DELETE" });
  await expect.poll(async () => (await fetch(`${server.url}/jobs/${second}`)).status).toBe(409);
});
