import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ArtifactStore } from "../../../cli/local-platform/stored/artifact-store.ts";
import { OnceKeys } from "../../../cli/local-platform/stored/once-keys.ts";
import { FolderBytes } from "../../../cli/local-platform/stored/folder-bytes.ts";
import { openSqliteTables } from "../../../cli/local-platform/stored/sqlite-tables.ts";
import { operatorToken } from "../../../cli/platform/folder.ts";
import { callAbout, fetchJob, jobOf, jobRecord, localPlatform, submit } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const services = [{ definition: { name: "Own" } }, { definition: { name: "Other" } }];

async function status(url: string, method = "GET", headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { method, headers });
  await response.body?.cancel();
  return response.status;
}

test("a job's token sees its own job, and those that it has handed in, and no other", async () => {
  const platform = await localPlatform({ services });
  const foreign = jobOf(await submit(platform, "other", { secret: 1 }));
  const own = jobOf(await submit(platform, "own", {}));
  const { headers } = await fetchJob(platform, "own");
  const token = { authorization: headers["authorization"] ?? "" };
  const child = jobOf(await submit(platform, "other", {}, token));
  const parts = ["", "/output", "/events", "/request"];
  for (const path of parts.map((part) => `/jobs/${foreign}${part}`))
    expect([path, await status(platform.url + path, "GET", token)]).toEqual([path, 403]);
  expect(await status(`${platform.url}/services2/other/jobs/${foreign}`, "GET", token)).toBe(403);
  expect(await status(`${platform.url}/jobs/${foreign}`, "DELETE", token)).toBe(403);
  expect(await status(`${platform.url}/jobs/${own}/redrive`, "POST", token)).toBe(403);
  for (const path of ["/dead-letters", "/live", "/services2/own/schedules"])
    expect(await status(platform.url + path, "GET", token)).toBe(403);
  expect(await status(`${platform.url}/services2`, "POST", token)).toBe(403);
  for (const id of [own, child]) expect(await status(`${platform.url}/jobs/${id}`, "GET", token)).toBe(200);
  const listed = (await (await fetch(`${platform.url}/jobs`, { headers: token })).json()) as {
    items: { id: string }[];
  };
  expect(listed.items.map(({ id }) => id)).toEqual([own]);
  expect(await status(`${platform.url}/jobs/${child}`, "DELETE", token)).toBe(202);
  expect((await jobRecord(platform, foreign))["status"]).toBe("pending");
});

test("a job's token that names the id of another job gets nothing of it", async () => {
  const platform = await localPlatform({ services });
  const foreign = jobOf(await submit(platform, "other", { secret: 1 }));
  await submit(platform, "own", {});
  const own = await fetchJob(platform, "own");
  const token = { authorization: own.headers["authorization"] ?? "" };
  const guess = (content: unknown, more: Readonly<Record<string, string>>): Promise<Response> =>
    submit(platform, "other", content, { ...token, ...more });
  expect((await guess({ secret: 1 }, { "job-id": foreign })).status).toBe(422);
  const held = await fetchJob(platform, "other");
  expect(await callAbout(platform, `/results/${foreign}`, held.headers, { answer: "of others" })).toBe(204);
  for (const content of [{ secret: 1 }, {}]) {
    const told = await guess(content, { "job-id": foreign, prefer: "wait=5" });
    expect([told.status, await told.text()]).toEqual([422, expect.not.stringContaining("of others")]);
  }
  const child = { "job-id": "child-1" };
  const first = jobOf(await guess({ a: 1 }, child));
  expect(jobOf(await guess({ a: 1 }, child))).toBe(first);
});

test("a job's token writes only into uploads that its job has begun", async () => {
  const platform = await localPlatform({ services });
  await submit(platform, "own", {});
  await submit(platform, "other", {});
  const tokenOf = async (service: string): Promise<Record<string, string>> => ({
    authorization: (await fetchJob(platform, service)).headers["authorization"] ?? "",
  });
  const [own, other] = [await tokenOf("own"), await tokenOf("other")];
  const headers = { ...own, "tus-resumable": "1.0.0", "upload-length": "5", "x-content-type": "text/plain" };
  const begun = await fetch(`${platform.url}/artifacts`, { method: "POST", headers });
  const { "data-href": href } = (await begun.json()) as Record<string, string>;
  const write = async (token: Record<string, string>): Promise<number> => {
    const options = { method: "PATCH", body: "hello", headers: { ...token, "upload-offset": "0" } };
    return (await fetch(platform.url + String(href), options)).status;
  };
  expect([begun.status, await write(other), await write(own)]).toEqual([201, 403, 204]);
});

describe("strangers", () => {
  test.each([
    ["all", { submit: 202, read: 200, list: 200, cancel: 202, register: 400 }],
    ["submit", { submit: 202, read: 200, list: 401, cancel: 401, register: 401 }],
    ["none", { submit: 401, read: 401, list: 401, cancel: 401, register: 401 }],
  ] as const)("%s", async (strangers, expected) => {
    const folder = temporaryFolder();
    const platform = await localPlatform({ services, folder, strangers });
    const operator = { authorization: operatorToken(platform.url, folder) ?? "" };
    const known = jobOf(await submit(platform, "own", {}, operator));
    const deeds = async (headers: Record<string, string>): Promise<Record<string, number>> => ({
      submit: (await submit(platform, "own", {}, headers)).status,
      read: await status(`${platform.url}/jobs/${known}`, "GET", headers),
      list: await status(`${platform.url}/jobs`, "GET", headers),
      cancel: await status(`${platform.url}/jobs/${known}`, "DELETE", headers),
      register: await status(`${platform.url}/services2`, "POST", headers),
    });
    expect(await deeds({})).toEqual(expected);
    const mine = await deeds(operator);
    expect(mine).toMatchObject({ submit: 202, read: 200, list: 200, register: 400 });
    expect(await status(`${platform.url}/healthz`)).toBe(200);
    // Workers have no token before they have a job.
    expect((await fetchJob(platform, "own")).status).toBe(200);
    const forged = { authorization: `${operator.authorization.slice(0, -1)}_` };
    expect(await deeds(forged)).toEqual({ submit: 401, read: 401, list: 401, cancel: 401, register: 401 });
    for (const path of ["aspects", "artifacts", "services2", "queue", "metrics", "workers"]) {
      expect([path, await status(`${platform.url}/${path}`, "GET", forged)]).toEqual([path, 401]);
    }
  });
});

test("a name is refused unless it is listed, on any address; probes may send any", async () => {
  const ask = (url: string, path: string, host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(url + path, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
    });
  const open = await localPlatform({ services, host: "0.0.0.0" });
  const url = open.url.replace("0.0.0.0", "127.0.0.1");
  expect([await ask(url, "/jobs", "evil.example"), await ask(url, "/healthz", "evil.example")]).toEqual([403, 200]);
  const listed = await localPlatform({ services, host: "0.0.0.0", allowedHosts: ["tenon-platform"] });
  const other = listed.url.replace("0.0.0.0", "127.0.0.1");
  expect([await ask(other, "/jobs", "tenon-platform:4400"), await ask(other, "/jobs", "evil.example")]).toEqual([
    200, 403,
  ]);
});

test("a page of another origin is refused, and nothing is said of a variable that the platform does not read", async () => {
  const lines: string[] = [];
  const platform = await localPlatform({ services, warn: (line) => lines.push(line) });
  const answer = await fetch(`${platform.url}/jobs`, { headers: { origin: "http://localhost:5173" } });
  expect([answer.status, await answer.json()]).toMatchObject([
    403,
    { detail: "Pages of this origin may not call the service." },
  ]);
  expect(lines).toEqual([]);
});

test("a page of another origin takes no job and makes no service by a picture; a worker does", async () => {
  const platform = await localPlatform({ services });
  await submit(platform, "own", {});
  for (const site of ["cross-site", "same-site"])
    for (const key of ["own", "new"])
      expect(await status(`${platform.url}/${key}/next_job`, "GET", { "sec-fetch-site": site })).toBe(403);
  expect(await status(`${platform.url}/services2/new`)).toBe(404);
  expect((await fetchJob(platform, "own")).status).toBe(200);
});

test("the operator's token goes to the running platform alone, and is worth nothing after it", async () => {
  const folder = temporaryFolder();
  const platform = await localPlatform({ services, folder, strangers: "none" });
  const first = operatorToken(platform.url, folder) ?? "";
  expect(await status(`${platform.url}/jobs`, "GET", { authorization: first })).toBe(200);
  expect(statSync(join(folder, "operator")).mode & 0o777).toBe(0o600);
  expect(operatorToken("http://127.0.0.1:1", folder)).toBeUndefined();
  const left = readFileSync(join(folder, "operator"), "utf8");
  await platform.stop();
  expect(operatorToken(platform.url, folder)).toBeUndefined();
  // A platform that was killed leaves the note behind. Whoever has the port then gets a token of nobody.
  writeFileSync(join(folder, "operator"), left);
  expect(operatorToken(platform.url, folder)).toBe(first);
  const next = await localPlatform({ services, folder, strangers: "none" });
  expect(await status(`${next.url}/jobs`, "GET", { authorization: first })).toBe(401);
  expect(await status(`${next.url}/jobs`, "GET", { authorization: operatorToken(next.url, folder) ?? "" })).toBe(200);
});

test("leases that end while the platform is away cost no attempt", async () => {
  const folder = temporaryFolder();
  let now = 1_000_000;
  const open = (): ReturnType<typeof localPlatform> =>
    localPlatform({ folder, services, leaseSeconds: 2, now: () => now });
  let platform = await open();
  const id = jobOf(await submit(platform, "own", {}));
  for (let round = 0; round < 5; round++) {
    expect((await fetchJob(platform, "own")).id).toBe(id);
    await platform.stop();
    now += 60_000;
    platform = await open();
    // The worker has a while to come back; this one does not.
    expect(await jobRecord(platform, id)).toMatchObject({ status: "executing" });
    now += 10_000;
    await expect.poll(async () => (await jobRecord(platform, id))["status"]).toBe("pending");
  }
  // While the platform is there, three leases that run out are too many, as ever.
  for (let round = 0; round < 3; round++) {
    await fetchJob(platform, "own");
    now += 10_000;
    await expect.poll(async () => (await jobRecord(platform, id))["status"]).not.toBe("executing");
  }
  expect(await jobRecord(platform, id)).toMatchObject({ "dead-letter": true });
});

test("a full disk: whoever uploads is told so, and nothing of it stays", async () => {
  const folder = temporaryFolder();
  const tables = await openSqliteTables(folder);
  const store = new ArtifactStore(new FolderBytes(join(folder, "artifacts")), tables, new OnceKeys(tables));
  const artifact = { name: "a", type: "text/plain", size: null, policy: null, collection: null, job: null };
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const content = Readable.from(
    (function* () {
      yield Buffer.from("a");
      throw full;
    })(),
  );
  await expect(store.store(artifact, { content, sha256: undefined }, undefined)).rejects.toMatchObject({
    kind: "unavailable",
    message: "The disk of the platform is full. Make room in its folder, then upload again.",
    cause: full,
  });
  expect(readdirSync(join(folder, "artifacts"))).toEqual([]);
  await tables.close();
});
