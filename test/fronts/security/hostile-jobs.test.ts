import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";
import { audience, serveTokenIssuer } from "../../support/token-issuer.ts";

let gate = Promise.withResolvers<void>();
let aborted = 0;
const tools = [
  fakeTool(
    async (_: object, job) => {
      job.signal.addEventListener("abort", () => aborted++);
      await gate.promise;
      return { done: true };
    },
    { name: "wait", path: "/tool/wait" },
  ),
  fakeTool(
    async ({ text = "" }: { text?: string }, job) => {
      const [count = 0, length = 0] = text.split(" ").map(Number);
      for (let event = 0; event < count; event++) job.report.stepStarted("step", { text: "x".repeat(length) });
      return { count };
    },
    { name: "flood", path: "/tool/flood" },
  ),
];
let issuer: Awaited<ReturnType<typeof serveTokenIssuer>>;
let guarded: TestServer;
let open: TestServer;
beforeAll(async () => {
  issuer = await serveTokenIssuer();
  const auth = { issuer: issuer.url, audience };
  [guarded, open] = await Promise.all([serve(tools, { auth }), serve(tools)]);
});
afterAll(async () => {
  gate.resolve();
  await Promise.all([guarded.stop(), open.stop()]);
  issuer.stop();
});

const header = async (sub: string): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${await issuer.tokens.token({ sub })}`,
});
const pathOf = (response: Response): string => new URL(response.headers.get("location") ?? "", open.url).pathname;

/** All that an answer tells, but its date. */
async function told(answer: Promise<Response>, id: string): Promise<unknown> {
  const response = await answer;
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: (await response.text()).replaceAll(id, "ID") };
}

test("the id of another caller's job is answered as one that never was, on every route", async () => {
  gate = Promise.withResolvers();
  const [ann, eve] = await Promise.all([header("ann"), header("eve")]);
  const path = pathOf(await guarded.post("/tool/wait", {}, { ...ann, prefer: "wait=0" }));
  const id = path.split("/").at(-1) ?? "";
  expect((await guarded.get(path, { ...ann, prefer: "wait=0" })).status).toBe(202);
  const guess = randomUUID();
  for (const [method, end] of [
    ["GET", ""],
    ["GET", "/events"],
    ["DELETE", ""],
  ] as const) {
    const ask = (job: string): Promise<Response> =>
      fetch(guarded.url + path.replace(id, job) + end, { method, headers: { ...eve, prefer: "wait=0" } });
    const own = await told(ask(id), id);
    expect(own).toEqual(await told(ask(guess), guess));
    expect(own).toMatchObject({ status: 404 });
  }
  gate.resolve();
  expect((await guarded.get(path, { ...ann, prefer: "wait=5" })).status).toBe(200);
});

test("guesses around an id find nothing, since 74 bits of it are random", async () => {
  gate = Promise.withResolvers();
  const path = pathOf(await open.post("/tool/wait", {}, { prefer: "wait=0" }));
  const id = path.split("/").at(-1) ?? "";
  // The same millisecond, and digits beside those of a job that is there.
  const near = Array.from({ length: 16 }, (_, digit) => id.slice(0, -1) + digit.toString(16)).filter(
    (one) => one !== id,
  );
  const guesses = [...near, ...Array.from({ length: 200 }, () => randomUUID())];
  const answers = await Promise.all(guesses.map((guess) => open.get(path.replace(id, guess))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  gate.resolve();

  const count = 20_000;
  const digits = Array.from({ length: count }, () => newJobUrn(0).replaceAll("-", "").slice(-20));
  expect(new Set(digits).size).toBe(count);
  // 12 + 62 random bits: each of them is set in about half of the ids. Those of version and variant are fixed.
  const bits = digits.map((text) => BigInt(`0x${text}`).toString(2).padStart(80, "0"));
  const shares = Array.from({ length: 80 }, (_, at) => bits.filter((text) => text[at] === "1").length / count);
  const random = shares.filter((share) => share > 0.4 && share < 0.6);
  expect(random.length).toBe(74);
});

test("a job that is cancelled twice is cancelled once, and one that has ended stays as it ended", async () => {
  gate = Promise.withResolvers();
  aborted = 0;
  const path = pathOf(await open.post("/tool/wait", {}, { prefer: "wait=0" }));
  const cancel = (): Promise<Response> => fetch(open.url + path, { method: "DELETE" });
  const answers = await Promise.all([cancel(), cancel()]);
  answers.push(await cancel());
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  for (const answer of answers) expect(await json(answer)).toMatchObject({ status: "cancelled" });
  gate.resolve();
  expect(aborted).toBe(1);
  const events = await (await open.get(`${path}/events`)).text();
  expect(events.match(/job\.status\.1/g)).toHaveLength(1);
  expect(events).toContain('"status":"cancelled"');

  const named = { "job-id": `done-${randomUUID()}` };
  const done = await open.post("/tool/flood", { text: "1 1" }, named);
  expect(done.status).toBe(200);
  const place = `${path.slice(0, path.lastIndexOf("/"))}/${named["job-id"]}`;
  const refused = await fetch(open.url + place, { method: "DELETE" });
  expect(await json(refused)).toMatchObject({ status: 409, detail: "The job has ended already, as succeeded." });
  expect(await json(await open.get(place))).toEqual({ count: 1 });
});

test.each([
  ["many", "30000 10", 29_000, 200_000],
  ["large", "200 200000", 150, 6_000_000],
])("a flood of %s events is bounded, and who comes later is told what was dropped", async (_, text, least, most) => {
  const id = `flood-${randomUUID()}`;
  const done = await open.post("/tool/flood", { text }, { "job-id": id });
  expect(done.status).toBe(200);
  const stream = await (await open.get(`/jobs/${id}/events`)).text();
  expect(stream.length).toBeLessThan(most * 3);
  const events = stream.split("\n\n").flatMap((part) => {
    const data = /^data: (.*)$/m.exec(part)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as { SeqID: string; data: Record<string, unknown> }];
  });
  const [first, second] = events;
  expect(first?.data).toMatchObject({ name: "events-dropped", dropped: Number(first?.SeqID) });
  expect(Number(first?.SeqID)).toBeGreaterThanOrEqual(least);
  expect(Number(second?.SeqID)).toBe(Number(first?.SeqID) + 1);
  // A reader that has come as far misses nothing.
  const rest = await open.get(`/jobs/${id}/events`, { "last-event-id": first?.SeqID ?? "" });
  expect(await rest.text()).not.toContain("events-dropped");
});
