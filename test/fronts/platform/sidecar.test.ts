import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JobNews } from "../../../cli/local-platform/jobs/job-news.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { callAbout, fetchJob, jobOf, jobRecord, localPlatform, submit } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

loggingInit({ write() {} });
const isoTime = /^\d{4}-.*Z$/;

test("a job is given with its token and its lease; its result ends it", async () => {
  const platform = await localPlatform();
  const submitted = await submit(platform, "demo", {});
  expect([submitted.status, ((await submitted.json()) as { detail: string }).detail]).toEqual([
    404,
    'There is no service "demo". No service is registered yet.',
  ]);
  const waiting = fetchJob(platform, "demo");
  await expect.poll(() => platform.services.length).toBe(1);
  const answer = await submit(platform, "demo", { text: "hi" }, { traceparent: "not one" });
  expect(answer.status).toBe(202);
  const { id, content, headers } = await waiting;
  expect([id, content, headers["job-attempt"]]).toEqual([jobOf(answer), { text: "hi" }, "1"]);
  const begun = await jobRecord(platform, id);
  expect(begun).toMatchObject({ status: "executing", "started-at": expect.stringMatching(isoTime) });
  expect(begun).not.toHaveProperty("finished-at");
  expect(await callAbout(platform, `/events/${id}`, headers, { $schema: "urn:e", name: "one", sequence: 1 })).toBe(204);
  expect(await callAbout(platform, `/events/${id}`, headers, { $schema: "urn:e", name: "one", sequence: 1 })).toBe(204);
  expect(await callAbout(platform, `/jobs/${id}/lease`, headers)).toBe(204);
  expect(await callAbout(platform, `/results/${id}`, headers, { ok: true })).toBe(204);
  expect(await callAbout(platform, `/results/${id}`, headers, { ok: true })).toBe(200);
  expect(await callAbout(platform, `/results/${id}`, headers, { ok: false })).toBe(409);
  expect(await callAbout(platform, `/events/${id}`, headers, { name: "late", sequence: 2 })).toBe(410);
  expect(await callAbout(platform, `/jobs/${id}/lease`, headers)).toBe(410);
  const over = await jobRecord(platform, id);
  expect(over).toMatchObject({
    status: "succeeded",
    "result-content": { ok: true },
    attempt: 1,
    "started-at": begun["started-at"],
    "finished-at": expect.stringMatching(isoTime),
  });
  const events = await (await fetch(`${platform.url}/jobs/${id}/events`)).text();
  expect(events.match(/"type":"[^"]+"/g)).toEqual(
    ["event", "result", "status"].map((kind) => `"type":"platform.job.${kind}"`),
  );
  expect(events.match(/(?<="timestamp":")[^"]+/g)?.slice(-2)).toEqual([over["finished-at"], over["finished-at"]]);
  const rest = await fetch(`${platform.url}/jobs/${id}/events`, { headers: { "last-event-id": "00000002" } });
  expect((await rest.text()).match(/^id: .*$/gm)).toEqual(["id: 00000003"]);
  const nothing = await fetch(`${platform.url}/jobs/${id}/events`, { headers: { "last-event-id": "3" } });
  expect(nothing.status).toBe(204);
});

test("trace context and baggage travel with a job; what could not be a header does not", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const sent = { traceparent, tracestate: "v=1", baggage: "tenant=blue,x=1;p=2" };
  await submit(platform, "demo", 1, sent);
  await submit(platform, "demo", 2, { ...sent, traceparent: "not one", baggage: "x".repeat(8193) });
  const given = async (): Promise<readonly (string | null)[]> => {
    const { headers } = await fetch(`${platform.url}/demo/next_job`);
    return Object.keys(sent).map((name) => headers.get(name));
  };
  expect(await given()).toEqual(Object.values(sent));
  expect(await given()).toEqual([null, null, null]);
});

test("calls about a job need its own token", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  await submit(platform, "demo", 1);
  await submit(platform, "demo", 2);
  const [one, other] = [await fetchJob(platform, "demo"), await fetchJob(platform, "demo")];
  const result = (headers: Record<string, string>): Promise<number> =>
    callAbout(platform, `/results/${one.id}`, headers, 1);
  expect(await result({})).toBe(401);
  expect(await result({ authorization: "Bearer something" })).toBe(401);
  expect(await result({ authorization: (one.headers["authorization"] ?? "").replace(/.$/, "_") })).toBe(401);
  expect(await result(other.headers)).toBe(403);
  expect(await result({ ...one.headers, "job-lease": other.headers["job-lease"] ?? "" })).toBe(409);
  expect(await callAbout(platform, "/artifacts", { authorization: "Bearer something" }, "x")).toBe(401);
  expect(await result({ authorization: one.headers["authorization"] ?? "" })).toBe(204);
});

test("a lease that runs out: given again, the late one is refused everywhere, three times is a dead letter", async () => {
  let time = 0;
  const now = (): number => time;
  const platform = await localPlatform({ now, leaseSeconds: 0.2, services: [{ definition: { name: "demo" } }] });
  const id = jobOf(await submit(platform, "demo", { n: 1 }));
  const first = await fetchJob(platform, "demo");
  await callAbout(platform, `/events/${id}`, first.headers, { name: "first", sequence: 1 });
  time += 201;
  const second = await fetchJob(platform, "demo");
  expect([second.id, second.headers["job-attempt"]]).toEqual([id, "2"]);
  const late = { ...first.headers };
  const tokenOnly = { authorization: first.headers["authorization"] ?? "" };
  for (const headers of [late, tokenOnly]) {
    expect(await callAbout(platform, `/results/${id}`, headers, 1)).toBe(409);
    expect(await callAbout(platform, `/events/${id}`, headers, { name: "late", sequence: 2 })).toBe(409);
    expect(await callAbout(platform, `/jobs/${id}/lease`, headers)).toBe(409);
    expect(await callAbout(platform, `/jobs/${id}/release`, headers)).toBe(409);
    expect(await callAbout(platform, "/artifacts", headers, "x")).toBe(409);
  }
  expect(await callAbout(platform, `/events/${id}`, second.headers, { name: "second", sequence: 1 })).toBe(204);
  time += 201;
  expect((await fetchJob(platform, "demo")).headers["job-attempt"]).toBe("3");
  time += 201;
  const ended = await jobRecord(platform, id, 10);
  expect(ended).toMatchObject({ status: "error", "error-kind": "interrupted", attempt: 3 });
  const stream = await (await fetch(`${platform.url}/jobs/${id}/events`)).text();
  expect(stream.match(/"name":"\w+"/g)).toEqual(['"name":"first"', '"name":"second"']);
  const letters = (await (await fetch(`${platform.url}/dead-letters`)).json()) as { items: { id: string }[] };
  expect(letters.items.map((letter) => letter.id)).toEqual([id]);
  expect(await callAbout(platform, `/jobs/${id}/redrive`, {})).toBe(202);
  expect(await callAbout(platform, `/jobs/${id}/redrive`, {})).toBe(409);
  expect(await jobRecord(platform, id)).not.toHaveProperty("started-at");
  const again = await fetchJob(platform, "demo");
  expect([again.id, again.headers["job-attempt"]]).toEqual([id, "1"]);
  expect(await callAbout(platform, `/results/${id}`, again.headers, { done: true })).toBe(204);
  expect((await jobRecord(platform, id))["status"]).toBe("succeeded");
});

test("a job that is handed back spends no attempt, and goes to the next who asks", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  await submit(platform, "demo", {});
  for (let n = 0; n < 5; n++) {
    const { id, headers } = await fetchJob(platform, "demo");
    expect(headers["job-attempt"]).toBe("1");
    expect(await callAbout(platform, `/jobs/${id}/release`, headers)).toBe(204);
  }
});

test("cancelled: told at the next renewal, and no result counts", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  const ended = jobRecord(platform, id, 10);
  const answer = await fetch(`${platform.url}/services2/demo/jobs/${id}?reason=by%20hand`, { method: "DELETE" });
  expect(answer.status).toBe(202);
  const renewal = await fetch(`${platform.url}/jobs/${id}/lease`, { method: "POST", headers });
  expect([renewal.status, await renewal.json()]).toEqual([200, { cancel: "by hand" }]);
  expect(await callAbout(platform, `/results/${id}`, headers, 1)).toBe(410);
  expect((await ended)["status"]).toBe("cancelled");
  expect((await fetch(`${platform.url}/jobs/${id}`, { method: "DELETE" })).status).toBe(409);
});

test("many who wait, many jobs at once: each job to exactly one; who hangs up takes none along", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const gone = Array.from({ length: 20 }, () => {
    const call = request(`${platform.url}/demo/next_job?wait=20`);
    call.on("error", () => {});
    return call.end();
  });
  await Promise.all(
    gone.map((call) => new Promise((resolve) => call.once("socket", (socket) => socket.once("connect", resolve)))),
  );
  const waiting = Array.from({ length: 20 }, () => fetchJob(platform, "demo"));
  for (const call of gone) call.destroy();
  const ids = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => jobOf(await submit(platform, "demo", { n }))),
  );
  const given = await Promise.all(waiting);
  expect(given.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect((await fetchJob(platform, "demo", 0)).status).toBe(204);
});

test("who hangs up while a call waits, streams or uploads harms nobody", async () => {
  const folder = temporaryFolder();
  const platform = await localPlatform({ folder, services: [{ definition: { name: "demo" } }] });
  const heard: JobNews[] = [];
  platform.onNews((news) => void heard.push(news));
  const calls = [
    request(`${platform.url}/services2/demo/jobs?wait=20`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    }),
    request(`${platform.url}/live`),
    request(`${platform.url}/artifacts`, { method: "POST" }),
  ];
  for (const call of calls) call.on("error", () => {});
  const [waiting, live, upload] = calls;
  const streams = new Promise((resolve) => live?.on("response", (response) => response.once("data", resolve)));
  waiting?.end("{}");
  live?.end();
  upload?.write("half of it");
  await streams;
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  await expect.poll(() => readdirSync(join(folder, "artifacts")).length).toBe(1);
  for (const call of calls) call.destroy();
  await expect.poll(() => readdirSync(join(folder, "artifacts"))).toEqual([]);
  const { id, headers } = await fetchJob(platform, "demo");
  expect(await callAbout(platform, `/results/${id}`, headers, 1)).toBe(204);
  expect((await jobRecord(platform, id))["status"]).toBe("succeeded");
});

test("the live stream tells of every job; a job's stream can be limited", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const live = await fetch(`${platform.url}/live`);
  const id = jobOf(await submit(platform, "demo", {}));
  const { headers } = await fetchJob(platform, "demo");
  await callAbout(platform, `/events/${id}`, headers, {
    $schema: "urn:e",
    name: "one",
    stacktrace: ["secret"],
    sequence: 1,
  });
  const limited = await (await fetch(`${platform.url}/jobs/${id}/events?max-messages=1`)).text();
  expect(limited.match(/^id: .*$/gm)).toEqual(["id: 00000001"]);
  const short = await fetch(`${platform.url}/jobs/${id}/events?max-wait-time=0.05`);
  expect((await short.text()).match(/^id: .*$/gm)).toEqual(["id: 00000001"]);
  const result = { $schema: "urn:example:done.1", ok: true };
  await callAbout(platform, `/results/${id}`, headers, result);
  await platform.stop();
  const told = (await live.text())
    .match(/^data: .*$/gm)
    ?.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);
  expect(told?.map(({ type, data, "job-urn": job, service }) => [type, data, job, service])).toEqual(
    [
      ["status", { "job-urn": id, status: "pending" }],
      ["status", { "job-urn": id, status: "executing", attempt: 1 }],
      ["event", { $schema: "urn:e", name: "one", sequence: 1 }],
      [
        "result",
        {
          "content-type": "application/vnd.platform.urn:example:done.1",
          "job-urn": id,
          location: `/services2/demo/jobs/${id}/output`,
        },
      ],
      ["status", { "job-urn": id, status: "succeeded" }],
    ].map(([kind, data]) => [`platform.job.${String(kind)}`, data, id, "demo"]),
  );
});

test("the same Idempotency-Key or id: the same job; another body: refused", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const key = { "idempotency-key": "k" };
  const first = jobOf(await submit(platform, "demo", { n: 1 }, key));
  expect(jobOf(await submit(platform, "demo", { n: 1 }, key))).toBe(first);
  expect((await submit(platform, "demo", { n: 2 }, key)).status).toBe(422);
  const { id, headers } = await fetchJob(platform, "demo");
  await callAbout(platform, `/results/${id}`, headers, { n: 1 });
  const answered = await submit(platform, "demo", { n: 1 }, key);
  expect([answered.status, await answered.json()]).toEqual([200, { n: 1 }]);
  const named = { "job-id": "mine", timeout: "10" };
  const both = [submit(platform, "demo", { n: 3 }, named), submit(platform, "demo", { n: 3 }, named)];
  const mine = await fetchJob(platform, "demo");
  expect(mine.id).toBe("urn:platform:job:mine");
  await callAbout(platform, `/results/${mine.id}`, mine.headers, { n: 3 });
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
});

test("started again on the same folder it goes on where it was", async () => {
  const folder = temporaryFolder();
  const before = await localPlatform({ folder, services: [{ definition: { name: "Demo service" } }] });
  const [one, two] = [jobOf(await submit(before, "demo-service", 1)), jobOf(await submit(before, "demo-service", 2))];
  const held = await fetchJob(before, "demo-service");
  // A worker that does not number its events: none is taken for one that came twice.
  for (const name of ["a", "b"]) await callAbout(before, `/events/${held.id}`, held.headers, { name });
  await expect(localPlatform({ folder })).rejects.toThrow(/is open in this process already|is in use by/);
  await before.stop();
  const after = await localPlatform({ folder });
  expect(after.services.map(({ key, name }) => [key, name])).toEqual([["demo-service", "Demo service"]]);
  expect(await callAbout(after, `/events/${held.id}`, held.headers, { name: "c" })).toBe(204);
  const stream = fetch(`${after.url}/jobs/${held.id}/events`).then((response) => response.text());
  expect(await callAbout(after, `/results/${held.id}`, held.headers, { n: 1 })).toBe(204);
  expect([held.id, (await jobRecord(after, one))["status"]]).toEqual([one, "succeeded"]);
  expect((await stream).match(/"name":"\w"/g)).toEqual(['"name":"a"', '"name":"b"', '"name":"c"']);
  expect((await fetchJob(after, "demo-service")).id).toBe(two);
});

test("stopping: who waits is told that there is nothing, nobody is cut", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const waiting = fetchJob(platform, "demo", 20);
  const late = submit(platform, "demo", 1);
  await late;
  const { id } = await waiting;
  const more = fetchJob(platform, "demo", 20);
  const result = jobRecord(platform, id);
  await result;
  await platform.stop();
  expect((await more).status).toBe(204);
});

test("a definition that is put to the key of a worker's service is that service's", async () => {
  const platform = await localPlatform();
  await fetch(`${platform.url}/primes/next_job`);
  const answer = await fetch(`${platform.url}/services2/primes`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Prime numbers", tools: [] }),
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([200, "/services2/primes"]);
  const { items } = (await (await fetch(`${platform.url}/services2`)).json()) as { items: object[] };
  expect(items).toMatchObject([{ key: "primes", name: "Prime numbers" }]);
});

test("every wrong call is answered with its status and a reason", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const calls = [
    ["GET", "/nothing/here", 404],
    ["GET", "/%E0%A4%A", 400],
    ["GET", "/Bad Name/next_job", 400],
    ["POST", "/demo/next_job", 405],
    ["GET", "/demo/results/x", 405],
    ["POST", "/events/x", 401],
    ["GET", "/jobs/nope", 404],
    ["GET", "/jobs?limit=x", 400],
    ["PUT", "/artifacts", 405],
    ["GET", "/artifacts/urn:platform:artifact:no", 404],
    ["GET", "/aspects/no", 404],
    ["GET", "/aspects?filter=x", 400],
    ["GET", "/services2?filter=x", 400],
    ["GET", "/services2/nope", 404],
    ["DELETE", "/services2", 405],
    ["GET", "/demo/next_job?wait=x", 400],
  ] as const;
  for (const [method, path, status] of calls) {
    const response = await fetch(platform.url + path, { method });
    const { detail, message } = (await response.json()) as { detail?: string; message?: string };
    expect([method, path, response.status, (detail ?? message ?? "").length > 10]).toEqual([
      method,
      path,
      status,
      true,
    ]);
  }
});

test("broken JSON, foreign hosts and origins are refused", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "demo" } }] });
  const post = (headers: Record<string, string>, body = "{}"): Promise<number> =>
    fetch(`${platform.url}/services2/demo/jobs`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    }).then(({ status }) => status);
  expect([await post({}, "{"), await post({ origin: "https://evil.example" }), await post({})]).toEqual([
    400, 403, 202,
  ]);
  const status = await new Promise((resolve) => {
    request(platform.url, { headers: { host: "evil.example" } }, (response) => resolve(response.statusCode)).end();
  });
  expect(status).toBe(403);
});
