import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import { ResourceNotFoundError, ServiceJobError } from "../../../runtime/outside/platform/sidecar/platform-errors.ts";
import type { PlatformClient } from "../../../runtime/outside/platform/platform-client.ts";
import { ValueError } from "../../../runtime/base/errors.ts";
import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { wait } from "../../support/durable-calls.ts";
import { callAbout, fetchJob, localPlatform, submit, worker } from "../../support/local-platform.ts";
import { platformClient, platformJob } from "../../support/platform-job.ts";

loggingInit({ write() {} });

interface Scene {
  readonly platform: LocalPlatform;
  /** The client of a job that runs. */
  readonly client: PlatformClient;
  /** Ends that job. */
  end(): Promise<unknown>;
}

async function scene(): Promise<Scene> {
  const platform = await localPlatform({ services: [{ definition: { name: "Own service" } }] });
  await submit(platform, "own-service", {});
  const { id, headers } = await fetchJob(platform, "own-service");
  const { authorization = "", "job-attempt": attempt = "", "job-lease": lease = "" } = headers;
  const echoed = { "Job-Attempt": attempt, "Job-Lease": lease };
  const job = platformJob({ id: id as `urn:platform:job:${string}`, authorization, attempt: { id, headers: echoed } });
  const client = platformClient(platform.baseUrl("Own service"), job);
  return { platform, client, end: () => callAbout(platform, `/results/${id}`, headers, {}) };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("artifacts: in one piece, in chunks, of unknown length, and back", async () => {
  const { client, platform, end } = await scene();
  const small = await client.uploadArtifact({ name: 'päper "1".md', content: "# Hello" });
  expect(small).toMatchObject({ size: 7, contentType: "text/plain; charset=utf-8" });
  const read = await client.getArtifact(small.urn);
  const sha256 = createHash("sha256").update("# Hello").digest("hex");
  expect(read).toMatchObject({ name: 'päper "1".md', size: 7, sha256, status: "ready" });
  expect(Buffer.from(await read.bytes()).toString()).toBe("# Hello");

  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251));
  const whole = await client.uploadArtifact({ name: "bytes", content: bytes, chunkSize: 30_000 });
  const stream = new Blob([bytes]).stream();
  const unknown = await client.uploadArtifact({
    name: "stream",
    content: stream,
    chunkSize: 30_000,
    contentType: "image/png",
  });
  for (const { urn } of [whole, unknown]) {
    const found = await client.getArtifact(urn);
    expect(found.status).toBe("ready");
    await using file = await found.asLocalFile();
    expect((await readFile(file.path)).equals(bytes)).toBe(true);
  }
  const empty = await client.uploadArtifact({ name: "empty", content: "" });
  expect((await (await client.getArtifact(empty.urn)).bytes()).length).toBe(0);

  const part = await fetch(`${platform.url}/artifacts/${whole.urn}`, { headers: { range: "bytes=99990-" } });
  expect([part.status, part.headers.get("content-range"), Buffer.from(await part.arrayBuffer())]).toEqual([
    206,
    "bytes 99990-99999/100000",
    bytes.subarray(99_990),
  ]);
  const beyond = await fetch(`${platform.url}/artifacts/${whole.urn}`, { headers: { range: "bytes=100000-" } });
  expect(beyond.status).toBe(416);
  await expect(client.getArtifact("urn:platform:artifact:none")).rejects.toThrow(ResourceNotFoundError);
  const listed = (await (await fetch(`${platform.url}/artifacts?limit=3`)).json()) as {
    items: { id: string }[];
    links: object[];
  };
  expect([listed.items.map(({ id }) => id), listed.links.length]).toEqual([[empty.urn, unknown.urn, whole.urn], 2]);
  await end();
  await expect(client.uploadArtifact({ name: "late", content: "x" })).rejects.toThrow("no longer holds the job");
});

test("a resumable upload: garbled chunks are refused, and it goes on where it was", async () => {
  const { platform } = await scene();
  const digest = (text: string): string => createHash("sha256").update(text).digest("base64");
  const announced = {
    "tus-resumable": "1.0.0",
    "upload-defer-length": "1",
    "x-content-type": "text/plain",
    "idempotency-key": "k",
  };
  const announce = (): Promise<Response> => fetch(`${platform.url}/artifacts`, { method: "POST", headers: announced });
  const created = await announce();
  const { id, status, "data-href": href } = (await created.json()) as Record<string, string>;
  expect([created.status, status]).toEqual([201, "pending"]);
  const url = platform.url + String(href);
  const patch = (offset: number, text: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: "PATCH", body: text, headers: { "upload-offset": String(offset), ...more } });
  expect((await patch(0, "hello", { "upload-checksum": `sha256 ${digest("other")}` })).status).toBe(460);
  expect(
    (await patch(0, "hello", { "upload-checksum": `sha256 ${digest("hello")}` })).headers.get("upload-offset"),
  ).toBe("5");
  expect((await patch(2, "x")).status).toBe(409);
  expect((await fetch(url, { method: "HEAD" })).headers.get("upload-offset")).toBe("5");
  expect((await fetch(url)).status).toBe(409);
  const refused = await patch(5, "x".repeat(5_000_000), { "upload-length": "11" });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("The upload has only 11 bytes."),
  ]);
  expect((await patch(5, " world", { "upload-length": "11", "repr-digest": "sha-256=:x:" })).status).toBe(400);
  const other = { "upload-length": "11", "repr-digest": `sha-256=:${digest("other")}:` };
  expect((await patch(5, " world", other)).status).toBe(400);
  const offset = await fetch(url, { method: "HEAD" });
  expect([offset.headers.get("upload-offset"), offset.headers.get("upload-defer-length")]).toEqual(["5", "1"]);
  const whole = { "upload-length": "11", "repr-digest": `sha-256=:${digest("hello world")}:` };
  expect((await patch(5, " world", whole)).status).toBe(204);
  expect(await (await fetch(url)).text()).toBe("hello world");
  expect(((await (await announce()).json()) as { id: string }).id).toBe(id);
  const wrong = { method: "POST", body: "x", headers: { "repr-digest": `sha-256=:${digest("y")}:` } };
  expect((await fetch(`${platform.url}/artifacts`, wrong)).status).toBe(400);
});

test("an idempotency key makes one artifact, also when both requests are on their way", async () => {
  const { platform } = await scene();
  const post = (path: string, body: string): Promise<{ id: string }> =>
    fetch(platform.url + path, { method: "POST", body, headers: { "idempotency-key": "same" } }).then(
      (answer) => answer.json() as Promise<{ id: string }>,
    );
  const artifacts = await Promise.all(Array.from({ length: 8 }, () => post("/artifacts", "x".repeat(100_000))));
  const aspects = await Promise.all(
    Array.from({ length: 8 }, () => post("/aspects?entity=urn:example:e&schema=urn:example:s", "{}")),
  );
  expect([new Set(artifacts.map(({ id }) => id)).size, new Set(aspects.map(({ id }) => id)).size]).toEqual([1, 1]);
  const listed = (await (await fetch(`${platform.url}/artifacts`)).json()) as { items: object[] };
  expect(listed.items).toHaveLength(1);
});

test("an idempotency key belongs to its job, and to one request of it", async () => {
  const { platform } = await scene();
  const tokenOfNew = async (): Promise<Record<string, string>> => {
    await submit(platform, "own-service", {});
    return { authorization: (await fetchJob(platform, "own-service")).headers["authorization"] ?? "" };
  };
  const [one, other] = [await tokenOfNew(), await tokenOfNew()];
  const post = async (path: string, headers: Record<string, string>, body: string): Promise<readonly unknown[]> => {
    const options = { method: "POST", body, headers: { "idempotency-key": "report", ...headers } };
    const answer = await fetch(platform.url + path, options);
    return [answer.status, ((await answer.json()) as { id?: string }).id];
  };
  const refused = [422, undefined];
  const [status, id] = await post("/artifacts", one, "first");
  expect(status).toBe(201);
  expect(await post("/artifacts", one, "first")).toEqual([201, id]);
  expect(await post("/artifacts", one, "second")).toEqual(refused);
  expect(await post("/artifacts", { ...one, "x-name": "other.md" }, "first")).toEqual(refused);
  expect(await post("/artifacts", { ...one, "tus-resumable": "1.0.0", "upload-length": "6" }, "")).toEqual(refused);
  const [made, own] = await post("/artifacts", other, "own content");
  expect([made, await (await fetch(`${platform.url}/artifacts/${String(own)}`)).text()]).toEqual([201, "own content"]);
  expect((await post("/artifacts", { ...one, "idempotency-key": "k".repeat(256) }, "first"))[0]).toBe(400);
  const listed = (await (await fetch(`${platform.url}/artifacts`)).json()) as { items: object[] };
  expect(listed.items).toHaveLength(2);

  const path = "/aspects?entity=urn:example:e&schema=urn:example:s";
  const [added, aspect] = await post(path, one, '{"n":1}');
  expect(added).toBe(201);
  expect(await post(path, one, '{"n":1}')).toEqual([200, aspect]);
  expect(await post(path, one, '{"n":2}')).toEqual(refused);
  expect((await post(path, other, '{"n":2}'))[0]).toBe(201);
});

test("aspects: added, replaced, listed by pages, seen as they were, retracted", async () => {
  const { client } = await scene();
  const entity = "urn:example:thing:1";
  const first = await client.addAspect(entity, { $schema: "urn:example:schema:a_b.1", n: 0 });
  expect(first).toMatchObject({ entity, schema: "urn:example:schema:a_b.1", content: { n: 0, $entity: entity } });
  expect(first.asserter).toMatch(/^urn:platform:job:/);
  const second = await client.updateAspect(entity, { $schema: "urn:example:schema:a_b.1", n: 1 });
  expect(second.replaces).toBe(first.urn);
  expect((await first.refresh()).validTo).toBeDefined();
  for (let n = 0; n < 60; n++) await client.addAspect(entity, { $schema: "urn:example:schema:aXb.1", n });
  const list = (options: object): Promise<{ content?: unknown }[]> =>
    collect(client.listAspects({ entity, ...options }));
  expect((await list({})).length).toBe(61);
  expect((await list({ schema: "urn:example:%.1", limit: 55 })).length).toBe(55);
  expect((await list({ schema: "urn:example:schema:a_b%" })).length).toBe(1);
  expect(await list({ schema: "urn:example:schema:a_b.1", atTime: new Date(first.validFrom ?? "") })).toMatchObject([
    { urn: first.urn },
  ]);
  const numbers = (await list({ schema: "urn:example:schema:aXb.1", orderDirection: "ASC", limit: 3 })).map(
    ({ content }) => (content as { n: number }).n,
  );
  expect(numbers).toEqual([0, 1, 2]);
  expect((await list({ limit: 1, includeContent: false }))[0]?.content).toBeUndefined();
  await second.retract();
  expect(await list({ schema: "urn:example:schema:a_b.1" })).toEqual([]);
  expect((await list({ filter: "schema~='AXB' and asserter~='urn:'" })).length).toBe(60);
  expect(await list({ filter: "schema='urn:example:schema:axb.1'" })).toEqual([]);
  expect((await list({ contentPath: "$.n" })).length).toBe(60);
  expect(await list({ contentPath: "$.n.deeper[0]" })).toEqual([]);
  await expect(list({ filter: "size > 3" })).rejects.toThrow("knows the filters entity='…' and entity~='…' only");
  await expect(list({ contentPath: "$.n ? (@ > 3)" })).rejects.toThrow("content-path must be a JSON path");
});

test("bytes stay bytes and text stays text, at once and by polling", async () => {
  const { client, platform } = await scene();
  const bytes = new Uint8Array([0, 255, 128, 10, 13]);
  await platform.register({ definition: { name: "Painter" } });
  const paint = ({ text }: { text?: string }): BinaryResult =>
    text === undefined ? new BinaryResult("image/png", bytes) : new BinaryResult("text/plain", text);
  worker(platform, "painter", paint, { resultKind: "binary" });
  const service = await client.getServiceByName("Painter");
  for (const timeout of [0, 20]) {
    const png = await service.requestJob({}, { timeout });
    const text = await service.requestJob({ text: "größe" }, { timeout });
    expect([await png.result(), await text.result()]).toEqual([Buffer.from(bytes), "größe"]);
  }
});

test("services call each other: by name, with wait, by polling, with events, and their failures", async () => {
  const { client, platform } = await scene();
  await platform.register({
    definition: { name: "Report writer", $id: "urn:platform:service:1c107789", description: "Writes." },
  });
  worker(platform, "report-writer", async ({ fail, wait }: { fail?: boolean; wait?: boolean }, job) => {
    job.report.step("write", () => {});
    if (fail === true) throw new ValueError("no facts");
    if (wait === true) await new Promise((resolve) => job.signal.addEventListener("abort", resolve));
    return { token: job.jobAuthorization?.startsWith("Bearer tpj_") };
  });
  const service = await client.getServiceByName("Report writer");
  expect(service).toMatchObject({ urn: "urn:platform:service:1c107789", description: "Writes." });
  expect((await collect(client.listServices({ filter: "name~='WRIT'" }))).map(({ name }) => name)).toEqual([
    "Report writer",
  ]);
  expect((await collect(client.listServices({ orderDesc: true }))).map(({ name }) => name)).toEqual([
    "Report writer",
    "Own service",
  ]);
  const at = await service.requestJob({}, { timeout: 20 });
  expect([at.finished, await at.result()]).toEqual([true, { token: true }]);
  const polled = await (await client.getService("urn:platform:service:1c107789")).requestJob({});
  const kinds = (await collect(polled.events())).map(({ type, schema }) => `${type} ${schema?.split(":").at(-1)}`);
  expect(kinds).toEqual([
    "platform.job.event service.event.step.start.1",
    "platform.job.event service.event.step.finish.1",
    "platform.job.result job.result.1",
    "platform.job.status job.status.1",
  ]);
  expect(await polled.result()).toEqual({ token: true });
  const failed = await service.requestJob({ fail: true }, { timeout: 20 });
  await expect(failed.result()).rejects.toThrow(ServiceJobError);
  await expect(failed.result()).rejects.toThrow("it ended as failed. It says: no facts");
  const own = await fetch(`${platform.url}/jobs/${failed.urn}`);
  expect(await own.json()).toMatchObject({ error: { type: "ValueError", error: "no facts" } });
  await expect(client.getServiceByName("Nobody")).rejects.toThrow(ResourceNotFoundError);
});

test("a message wakes the job of another service, and one that it does not take is an error", async () => {
  const { client, platform } = await scene();
  const waits = [{ name: "approval", "message-schema": { type: "string" } }];
  const tools = [{ name: "approver", path: "/tool", durable: true, waits }];
  await platform.register({ definition: { name: "Approver", tools } });
  worker(platform, "approver", (_: unknown, job) => wait(job, "approval", { within: "3 days" }));
  const job = await (await client.getServiceByName("Approver")).requestJob({});
  await expect(job.send("approval", 5)).rejects.toThrow("does not match its schema");
  await expect(job.send("approvel", "yes")).rejects.toThrow("It waits for: approval");
  await job.send("approval", "yes", { idempotencyKey: "one" });
  await job.send("approval", "no", { idempotencyKey: "one" });
  expect(await job.result({ pollInterval: 0.1 })).toBe("yes");
  await expect(job.send("approval", "late")).rejects.toThrow("The job has ended");
});
