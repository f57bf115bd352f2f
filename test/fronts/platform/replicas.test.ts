import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import { callAbout, fetchJob, jobOf, jobRecord, submit, worker } from "../../support/local-platform.ts";
import { startPlatform, type PlatformProcess } from "../../support/platform-process.ts";
import { postgresPassword, startPostgres, type PostgresServer } from "../../support/postgres-server.ts";
import { startS3 } from "../../support/s3-server.ts";

const key = "k".repeat(32);
let server: PostgresServer;
let shared: string;
const folders: string[] = [];
/** Two replicas, each a process with a folder of its own, on one database and one folder of artifacts. */
let a: PlatformProcess;
let b: PlatformProcess;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-replica-"));
  folders.push(folder);
  return folder;
}

function replica(...words: readonly string[]): Promise<PlatformProcess> {
  const places = ["--store", server.url(), "--artifacts", shared, "--folder", temporaryFolder()];
  return startPlatform([...places, ...words], { TENON_PLATFORM_KEY: key });
}

beforeAll(async () => {
  server = await startPostgres();
  shared = temporaryFolder();
  [a, b] = await Promise.all([replica(), replica()]);
  // A worker that asks makes its service.
  for (const service of ["split", "parked", "many", "killed", "again", "tokens"]) await fetchJob(a, service, 0);
});
afterAll(async () => {
  expect(await Promise.all([a.stop(), b.stop()])).toEqual([0, 0]);
  await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  for (const { said } of [a, b]) {
    expect(said()).not.toContain(postgresPassword);
    expect(said()).not.toContain("TENON_PLATFORM_KEY");
  }
});

/** The text of an event stream, as it comes. */
function listen(url: string): { readonly text: () => string; readonly ended: Promise<void> } {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let text = "";
  const read = async (): Promise<void> => {
    const { body } = await fetch(url, { signal: stop.signal });
    for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  };
  return { text: () => text, ended: read().catch(() => {}) };
}

const until = (text: () => string, wanted: string): Promise<void> =>
  expect.poll(text, { interval: 10 }).toContain(wanted);

test("a job is handed in, taken, reported and asked for at whichever replica", async () => {
  const live = listen(`${b.url}/live`);
  await until(live.text, ":");
  const waiting = fetchJob(b, "split");
  const answer = submit(a, "split", { n: 1 }, { prefer: "wait=20", "job-id": "split-1" });
  // The worker waits at the other replica than the one where the job comes in, or was not there yet.
  const given = await waiting;
  expect([given.status, given.content]).toEqual([200, { n: 1 }]);
  const events = listen(`${a.url}/jobs/split-1/events`);
  const event = (sequence: number): unknown => ({
    $schema: "urn:example:schema.said.1",
    text: `said ${sequence}`,
    sequence,
  });
  for (const [index, replica] of [a, b, a].entries())
    expect(await callAbout(replica, `/events/${given.id}`, given.headers, event(index + 1))).toBe(204);
  expect(await callAbout(a, `/jobs/${given.id}/lease`, given.headers)).toBe(204);
  expect(await callAbout(b, `/results/${given.id}`, given.headers, { done: true })).toBe(204);
  expect(await callAbout(a, `/results/${given.id}`, given.headers, { done: true })).toBe(200);
  const answered = await answer;
  expect([answered.status, await answered.json()]).toEqual([200, { done: true }]);
  await events.ended;
  expect([...events.text().matchAll(/said \d/g)].map(String)).toEqual(["said 1", "said 2", "said 3"]);
  expect(events.text().match(/"status":"succeeded"/g)).toHaveLength(1);
  for (const replica of [a, b])
    expect(await jobRecord(replica, given.id)).toMatchObject({ status: "succeeded", "result-content": { done: true } });
  // A job that one replica takes in is news at the other one.
  for (const text of ["said 1", "said 2", "said 3", '"succeeded"']) await until(live.text, text);
});

test("a job that a worker of one replica has parked is woken by a message, or its time, at the other", async () => {
  const park = async (id: string, parking: object): Promise<void> => {
    const answer = await submit(a, "parked", {}, { "job-id": id });
    expect(answer.status).toBe(202);
    const { headers } = await fetchJob(a, "parked");
    expect(await callAbout(a, `/jobs/${id}/park`, headers, parking)).toBe(204);
  };
  await park("parked-1", { waits: ["go"], delay: 3_600_000 });
  expect(await jobRecord(b, "parked-1")).toMatchObject({ status: "pending", "waits-for": { message: "go" } });
  const waiting = fetchJob(b, "parked");
  expect(await callAbout(a, "/jobs/parked-1/messages/go", {}, "now")).toBe(202);
  const { id, headers } = await waiting;
  expect(id).toBe("urn:platform:job:parked-1");
  const steps = await fetch(`${b.url}/jobs/parked-1/steps`, { headers });
  expect(await steps.json()).toMatchObject({ steps: [], messages: [{ name: "go", body: '"now"' }] });
  expect(await callAbout(b, "/results/parked-1", headers, {})).toBe(204);
  await park("parked-2", { waits: [], delay: 1500 });
  expect((await fetchJob(b, "parked")).id).toBe("urn:platform:job:parked-2");
});

test("a job is given once, whoever asks where", async () => {
  const ids = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => jobOf(await submit(n % 2 === 0 ? a : b, "many", { n }))),
  );
  const workers = Array.from({ length: 8 }, async (_, n) => {
    const taken: string[] = [];
    for (;;) {
      const { status, id } = await fetchJob(n % 2 === 0 ? a : b, "many", 0);
      if (status !== 200) return taken;
      taken.push(id);
    }
  });
  expect((await Promise.all(workers)).flat().toSorted()).toEqual(ids.toSorted());
  const queue = await Promise.all([a, b].map(async ({ url }) => (await fetch(`${url}/queue`)).json()));
  for (const body of queue) expect(body).toMatchObject({ services: { many: { waiting: 0, running: 40 } } });
});

test("a service is known at all replicas as soon as one has it, and two at once get two keys", async () => {
  const register = async ({ url }: PlatformProcess, name: string): Promise<string> => {
    const body = JSON.stringify({ name, version: "1" });
    const answer = await fetch(`${url}/services2`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    return ((await answer.json()) as { readonly key: string }).key;
  };
  expect(await register(a, "Known here")).toBe("known-here");
  expect((await fetch(`${b.url}/services2/known-here`)).status).toBe(200);
  expect((await submit(b, "known-here", {})).status).toBe(202);
  const keys = await Promise.all([register(a, "Both at once"), register(b, "Both-at-once")]);
  expect(keys.toSorted()).toEqual(["both-at-once", "both-at-once-2"]);
});

/** An upload whose pieces come at two replicas, and which both of them have. Returns the artifact's id. */
async function uploadAtBoth(one: PlatformProcess, other: PlatformProcess): Promise<string> {
  const content = "first second";
  const digest = createHash("sha256").update(content).digest("base64");
  const headers = { "tus-resumable": "1.0.0", "upload-length": "12", "idempotency-key": randomUUID() };
  const started = await fetch(`${one.url}/artifacts`, { method: "POST", headers });
  const { id } = (await started.json()) as { readonly id: string };
  const again = await fetch(`${other.url}/artifacts`, { method: "POST", headers });
  expect(await again.json()).toMatchObject({ id });
  const piece = async ({ url }: PlatformProcess, offset: number, body: string, checksum = body): Promise<number> => {
    const sum = createHash("sha256").update(checksum).digest("base64");
    const more = { "upload-offset": String(offset), "upload-checksum": `sha256 ${sum}` };
    const type = "application/offset+octet-stream";
    const answer = await fetch(`${url}/artifacts/${id}/blob`, {
      method: "PATCH",
      headers: { "tus-resumable": "1.0.0", "content-type": type, ...more },
      body,
    });
    return answer.status;
  };
  expect(await piece(one, 0, "first ")).toBe(204);
  expect(await piece(other, 0, "again ")).toBe(409);
  expect(await piece(other, 6, "secont", "second")).toBe(460);
  const asked = await fetch(`${one.url}/artifacts/${id}/blob`, { method: "HEAD" });
  expect(asked.headers.get("upload-offset")).toBe("6");
  expect(await piece(other, 6, "second")).toBe(204);
  for (const { url } of [one, other]) {
    const read = await fetch(`${url}/artifacts/${id}`);
    expect([read.status, await read.text()]).toEqual([200, content]);
    expect(read.headers.get("repr-digest")).toBe(`sha-256=:${digest}:`);
    const part = await fetch(`${url}/artifacts/${id}`, { headers: { range: "bytes=6-" } });
    expect([part.status, await part.text()]).toEqual([206, "second"]);
  }
  return id;
}

test("artifacts and aspects: one replica goes on where another one was", async () => {
  const id = await uploadAtBoth(a, b);
  expect(readdirSync(shared).filter((name) => name.endsWith(".part"))).toEqual([]);
  const put = async ({ url }: PlatformProcess, n: number): Promise<void> => {
    const query = new URLSearchParams({ entity: id, schema: "urn:example:schema.seen.1" });
    const body = JSON.stringify({ n, authors: [{ name: "Ann" }], nul: "\0" });
    const answer = await fetch(`${url}/aspects?${query}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(200);
  };
  await Promise.all([put(a, 1), put(b, 2), put(a, 3), put(b, 4)]);
  const count = async (query: Record<string, string>): Promise<number> => {
    const answer = await fetch(`${b.url}/aspects?${new URLSearchParams({ entity: id, ...query })}`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { readonly items: readonly unknown[] }).items.length;
  };
  expect(await count({})).toBe(1);
  expect(await count({ schema: "urn:example:%SEEN%" })).toBe(1);
  expect(await count({ schema: "urn:example:schema_seen.1" })).toBe(0);
  expect(await count({ filter: "schema~='SEEN'" })).toBe(1);
  expect(await count({ page: "999999999999999" })).toBe(1);
});

test("artifacts in a bucket", async ({ skip }) => {
  const s3 = await startS3();
  if (s3 === undefined) return skip("the S3 server of this test needs Node 24");
  const { bucket, env } = s3;
  const words = ["--store", server.url(), "--artifacts", `s3://${bucket}/some/where`];
  const [one, other] = await Promise.all(
    [temporaryFolder(), temporaryFolder()].map((folder) =>
      startPlatform([...words, "--folder", folder], { ...env, TENON_PLATFORM_KEY: key }),
    ),
  );
  if (one === undefined || other === undefined) throw new Error("two replicas were started");
  onTestFinished(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await s3.stop();
  });
  await uploadAtBoth(one, other);
  // More than one part of a stream, and bytes that are no text.
  const bytes = randomBytes(3_000_000);
  const made = await fetch(`${one.url}/artifacts`, { method: "POST", body: bytes, headers: { "x-name": "a b+c.bin" } });
  const { id } = (await made.json()) as { readonly id: string };
  const read = await fetch(`${other.url}/artifacts/${id}`);
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
  const empty = await fetch(`${one.url}/artifacts`, { method: "POST", body: "" });
  const { id: nothing } = (await empty.json()) as { readonly id: string };
  expect(await (await fetch(`${other.url}/artifacts/${nothing}`)).text()).toBe("");
  const garbled = await fetch(`${one.url}/artifacts`, {
    method: "POST",
    body: "x",
    headers: { "repr-digest": `sha-256=:${createHash("sha256").update("y").digest("base64")}:` },
  });
  expect(garbled.status).toBe(400);
  // Only the three contents are in the bucket, below the prefix, and nothing stays behind at a replica.
  const objects = readdirSync(join(s3.folder, "some/where")).filter((name) => name.endsWith("_object"));
  expect(objects).toHaveLength(3);
  for (const folder of folders.slice(-2)) expect(readdirSync(join(folder, "incoming"))).toEqual([]);
  const wrong = startPlatform([...words, "--folder", temporaryFolder()], { ...env, AWS_SECRET_ACCESS_KEY: "geheim-8" });
  await expect(wrong).rejects.toThrow(
    /bucket artifacts at \S+ cannot be used: it answers GET with 403 SignatureDoesNotMatch/,
  );
  await expect(wrong).rejects.not.toThrow(/geheim/);
});

test("a condition on the content reads its JSON, as it is written", async () => {
  const entity = "urn:example:doc";
  const bodies = [{ authors: [{ name: "Ann", "a name": null }] }, { authors: [] }, { list: [[1, 2]] }];
  for (const body of bodies)
    await fetch(`${a.url}/aspects?entity=${entity}&schema=urn:example:schema.doc.1`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const count = async (path: string): Promise<number> => {
    const answer = await fetch(`${b.url}/aspects?${new URLSearchParams({ entity, "content-path": path })}`);
    return ((await answer.json()) as { readonly items: readonly unknown[] }).items.length;
  };
  expect(await count("$.authors")).toBe(2);
  expect(await count("$.authors[0].name")).toBe(1);
  expect(await count('$.authors[0]."a name"')).toBe(1);
  expect(await count("$.authors.name")).toBe(0);
  expect(await count("$.list[0][1]")).toBe(1);
  expect(await count("$.list[0][2]")).toBe(0);
});

test("a replica is killed: its workers go on at another one, and what it had taken in is there", async () => {
  const victim = await replica();
  const given = jobOf(await submit(victim, "killed", { n: 1 }));
  const waits = jobOf(await submit(victim, "killed", { n: 2 }));
  const held = await fetchJob(victim, "killed");
  expect(held.id).toBe(given);
  const waiting = listen(`${b.url}/jobs/${given}/events`);
  await until(waiting.text, ":");
  await victim.kill();
  expect(await callAbout(a, `/results/${given}`, held.headers, { done: 1 })).toBe(204);
  await until(waiting.text, '"status":"succeeded"');
  const next = await fetchJob(b, "killed");
  expect(next.id).toBe(waits);
  expect(await callAbout(a, `/results/${waits}`, next.headers, { done: 2 })).toBe(204);
});

test("a worker dies with the replica that gave it the job: another one gives it again, and the first is fenced", async () => {
  const victim = await replica("--lease", "1");
  const id = jobOf(await submit(victim, "again", {}));
  const first = await fetchJob(victim, "again");
  await victim.kill();
  const second = await fetchJob(a, "again", 20);
  expect([second.id, second.headers["job-attempt"]]).toEqual([id, "2"]);
  expect(await callAbout(b, `/results/${id}`, first.headers, { done: 1 })).toBe(409);
  expect(await callAbout(b, `/results/${id}`, second.headers, { done: 2 })).toBe(204);
  expect(await jobRecord(a, id)).toMatchObject({ "result-content": { done: 2 } });
});

test("the operator's token is that of all replicas, and a token of another key is refused", async () => {
  const closed = await replica("--strangers", "none");
  const other = await startPlatform(["--store", server.url(), "--folder", temporaryFolder()], {
    TENON_PLATFORM_KEY: "other".repeat(8),
  });
  onTestFinished(async () => void (await Promise.all([closed.stop(), other.stop()])));
  const id = jobOf(await submit(other, "tokens", {}));
  const { headers } = await fetchJob(other, "tokens");
  expect(await callAbout(closed, `/results/${id}`, headers, {})).toBe(401);
  expect(await callAbout(other, `/results/${id}`, headers, {})).toBe(204);
});

test.each([
  [["--store", "sqlite:jobs.db"], {}, /^tenon: --store: replicas of a platform share a PostgreSQL database/],
  [
    ["--store", "postgres://u:geheim-9@127.0.0.1:9/x"],
    { PLATFORM_START_TIMEOUT: "0" },
    /--store: postgres:\/\/u@127\.0\.0\.1:9\/x cannot be reached/,
  ],
  [[], { TENON_PLATFORM_KEY: "short" }, /TENON_PLATFORM_KEY is too short/],
  [["--artifacts", "s3://Not A Bucket"], {}, /--artifacts is "s3:\/\/Not A Bucket"; write the bucket as s3:\/\/NAME/],
  [["--artifacts", "s3://bucket"], {}, /--artifacts s3:\/\/bucket needs AWS_ACCESS_KEY_ID/],
])("%j with %j ends with one line that says what to do", async (words, env, line) => {
  const started = startPlatform(["--folder", temporaryFolder(), ...words], env);
  await expect(started).rejects.toThrow(/^ended with 1: [^\n]*\n$/);
  const text = await started.catch((error: Error) => error.message.replace(/^ended with 1: /, ""));
  expect(text).toMatch(line);
  expect(text).not.toContain("geheim");
});

test("without a shared key the start says so", async () => {
  const alone = await startPlatform(["--store", server.url(), "--folder", temporaryFolder()]);
  expect(await alone.stop()).toBe(0);
  expect(alone.said()).toContain("TENON_PLATFORM_KEY is not set");
});

test("a platform on PostgreSQL that is stopped for longer than leases last counts nothing against its jobs", async () => {
  // The only platform of its database: another one would rightly take the jobs of workers that nobody hears.
  const alone = await startPostgres();
  // A shorter lease is also lost by a busy machine.
  const leaseSeconds = 3;
  const platform = await startPlatform(
    ["--store", alone.url(), "--artifacts", shared, "--folder", temporaryFolder(), "--lease", String(leaseSeconds)],
    { TENON_PLATFORM_KEY: key },
  );
  onTestFinished(async () => {
    await platform.stop();
    await alone.stop();
  });
  await fetchJob(platform, "stopped", 0);
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const work = async (): Promise<object> => {
    runs++;
    await gate.promise;
    return { runs };
  };
  worker({ url: platform.url } as LocalPlatform, "stopped", work);
  const id = jobOf(await submit(platform, "stopped", {}));
  await expect.poll(() => runs).toBe(1);
  for (let round = 0; round < 2; round++) {
    platform.signal("SIGSTOP");
    await wait(1500 * leaseSeconds);
    platform.signal("SIGCONT");
    await wait(1200 * leaseSeconds);
    expect(await jobRecord(platform, id)).toMatchObject({ status: "executing", attempt: 1 });
  }
  gate.resolve();
  expect(await jobRecord(platform, id, 20)).toMatchObject({ status: "succeeded", attempt: 1 });
  expect(runs).toBe(1);
});
