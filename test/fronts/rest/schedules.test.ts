import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ScheduleDefinition } from "../../../runtime/contract/contract.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";
import { audience, serveTokenIssuer } from "../../support/token-issuer.ts";
import { sqlitePlace } from "../../unit/runtime/executor/store/sqlite-place.ts";

const yearly: ScheduleDefinition = {
  cron: "0 3 1 1 *",
  zone: "Europe/Zurich",
  request: { text: "go" },
  missed: "one",
  overlap: "skip",
};
const sweep = fakeTool(() => 1, {
  name: "sweep",
  path: "/tool/sweep",
  definition: { scopes: ["books:write"], schedules: [yearly, { ...yearly, overlap: "allow", jitter: 1500 }] },
});
const plain = fakeTool(() => 1, { name: "plain", path: "/tool/plain" });
const path = "/schedules/sweep/2/paused";
const next = expect.stringMatching(/^\d{4}-01-01T02:00:00\.000Z$/);

function put(server: TestServer, where: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const type = { "content-type": "application/json" };
  return fetch(server.url + where, { method: "PUT", headers: { ...type, ...headers }, body });
}

describe("a service that asks nobody for a token", () => {
  const place = sqlitePlace();
  const env = { TENON_STORE: `sqlite:${place.file}` };
  let server: TestServer;
  beforeAll(async () => {
    server = await serve([sweep, plain], {}, env);
  });
  afterAll(async () => {
    await server.stop();
    place.remove();
  });

  test("lists its schedules, and pauses one, over a restart", async () => {
    const listed = await server.get("/schedules");
    expect([listed.status, listed.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const first = { tool: "sweep", number: 1, ...yearly, paused: false, next };
    const second = { ...first, number: 2, overlap: "allow", jitter: 1.5 };
    expect(await json(listed)).toEqual({ items: [first, second], "at-time": expect.any(String) });
    const { next: _, ...paused } = { ...second, paused: true };
    const answer = await put(server, path, "true");
    expect([answer.status, await json(answer)]).toEqual([200, paused]);
    await server.stop();
    server = await serve([sweep, plain], {}, env);
    expect(await json(await server.get("/schedules"))).toMatchObject({ items: [first, paused] });
    expect(await json(await put(server, path, "false"))).toEqual(second);
  });

  test("refuses other bodies, methods and schedules", async () => {
    expect((await put(server, path, '"true"')).status).toBe(400);
    expect((await put(server, path, "tru")).status).toBe(400);
    expect((await put(server, path, `"${"x".repeat(200)}"`)).status).toBe(413);
    expect((await put(server, path, "true", { "content-type": "text/plain" })).status).toBe(415);
    expect((await put(server, "/schedules/sweep/3/paused", "true")).status).toBe(404);
    expect((await put(server, "/schedules/plain/1/paused", "true")).status).toBe(404);
    const other = await server.get(path);
    expect([other.status, other.headers.get("allow")]).toEqual([405, "PUT"]);
  });

  test("no caller chooses the id of a firing", async () => {
    const id = { "job-id": "schedule~sweep~1~20270101T020000Z" };
    expect((await server.post("/tool/sweep", { text: "x" }, id)).status).toBe(400);
  });

  test("says so in its OpenAPI document, and one without schedules has no such routes", async () => {
    const paths = Object.keys((await json(await server.get("/openapi.json"))).paths);
    expect(paths).toEqual(expect.arrayContaining(["/schedules", "/schedules/{tool}/{number}/paused"]));
    const without = await serve([plain]);
    try {
      expect((await without.get("/schedules")).status).toBe(404);
      expect(Object.keys((await json(await without.get("/openapi.json"))).paths)).not.toContain("/schedules");
    } finally {
      await without.stop();
    }
  });
});

test("whoever may not call a tool neither sees its schedules nor pauses them", async () => {
  const issuer = await serveTokenIssuer();
  const server = await serve([sweep, plain], { auth: { issuer: issuer.url, audience } });
  try {
    const asCaller = async (scope: string): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await issuer.tokens.token({ scope })}`,
    });
    const [ann, bob] = [await asCaller("books:write"), await asCaller("books:read")];
    expect((await json(await server.get("/schedules", ann))).items).toHaveLength(2);
    expect((await json(await server.get("/schedules", bob))).items).toHaveLength(0);
    expect((await server.get("/schedules")).status).toBe(401);
    expect((await put(server, path, "true")).status).toBe(401);
    expect((await put(server, path, "true", bob)).status).toBe(403);
    expect((await put(server, path, "true", ann)).status).toBe(200);
  } finally {
    await server.stop();
    issuer.stop();
  }
});
