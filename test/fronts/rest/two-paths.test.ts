import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";

const auth = { issuer: "https://login.example.org", audience: "https://tools.example.org/mcp" };
const tool = fakeTool(() => 1, { alias: "/tool/echo", definition: { scopes: ["echo"] } });

let server: TestServer;
let guarded: TestServer;
beforeAll(async () => {
  [server, guarded] = await Promise.all([serve([tool]), serve([tool], { auth })]);
});
afterAll(() => Promise.all([server.stop(), guarded.stop()]));

describe.each(["/tool", "/tool/echo"])("the only tool, on %s", (path) => {
  test("answers calls", async () => {
    const response = await server.post(path, {});
    expect([response.status, await response.json()]).toEqual([200, 1]);
  });

  test("describes itself", async () => {
    expect(await json(await server.get(path))).toMatchObject({ $schema: "urn:platform:schema.tool.1", name: "echo" });
  });

  test("has its jobs there", async () => {
    const id = `job-${path.length}`;
    await server.post(path, {}, { "job-id": id });
    const response = await server.get(`${path}/jobs/${id}`);
    expect([response.status, await response.json()]).toEqual([200, 1]);
  });

  test("says what is allowed", async () => {
    const response = await fetch(server.url + path, { method: "PUT" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  test("names its scopes to whoever has no token", async () => {
    const response = await guarded.post(path, {});
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain('scope="echo"');
  });
});

test("OpenAPI has the first path alone", async () => {
  const { paths } = await json(await server.get("/openapi.json"));
  expect(Object.keys(paths).filter((path) => path.startsWith("/tool"))).toEqual(["/tool", "/tool/jobs/{id}"]);
});
