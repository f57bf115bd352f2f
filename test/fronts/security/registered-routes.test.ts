import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearRegistry, defineTool } from "../../../runtime/service/tools/registry.ts";
import { Service } from "../../../runtime/service/service.ts";
import { registerMcp, type RegisteredMcp, type RegisterMcpOptions } from "../../../runtime/start/register-mcp.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { exchange } from "../../support/serve.ts";

// The same checks as in every-route.test.ts, for an app of the author's that MCP was added to.

const auth = { issuer: "https://login.example.org", audience: "https://tools.example.org/agents" };
const metadata = "/.well-known/oauth-protected-resource";

/** Path, whether it needs a token, and the status of a plain `GET`. */
const routes: readonly (readonly [path: string, closed: boolean, status: number])[] = [
  ["/agents", true, 405],
  [metadata, false, 200],
  [`${metadata}/agents`, false, 200],
];

const ended: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  const { definition, functions } = fakeTool(() => 1, { name: "one", definition: { scopes: ["one"] } });
  defineTool(definition, functions);
});
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
  delete process.env["TENON_RATE_LIMIT"];
  clearRegistry();
});

interface App {
  readonly paths: readonly string[];
  /** Status and head of the answer to a request with these lines. */
  send(method: string, path: string, lines?: readonly string[]): Promise<string>;
}

async function start(options: RegisterMcpOptions): Promise<App> {
  const app = new Hono();
  const registered: RegisteredMcp = registerMcp(app, new Service({ name: "Test", version: "1" }), "/agents", options);
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }, () =>
      resolve(listening),
    );
  });
  ended.push(() => new Promise((resolve) => server.close(resolve)), registered.stop);
  const { port } = server.address() as AddressInfo;
  return {
    paths: app.routes.map(({ path }) => path),
    send(method, path, lines = []) {
      const host = lines.some((line) => /^host:/i.test(line)) ? [] : [`Host: localhost:${port}`];
      const head = [`${method} ${path} HTTP/1.1`, "Connection: close", ...host, ...lines];
      return exchange(port, `${head.join("\r\n")}\r\n\r\n`);
    },
  };
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

test("the table has every route", async () => {
  const app = await start({ auth });
  expect(new Set(app.paths)).toEqual(new Set(routes.map(([path]) => path)));
});

test.each(routes)("%s: Host and Origin", async (path, closed, status) => {
  const app = await start({ auth });
  for (const line of [
    "Host: evil.example.com",
    "Host: localhost.evil.example.com",
    "Origin: http://evil.example.com",
    "Origin: null",
  ])
    expect([line, statusOf(await app.send("GET", path, [line]))]).toEqual([line, 403]);
  expect(statusOf(await app.send("GET", path))).toBe(closed ? 401 : status);
});

test.each(routes)("%s: a token", async (path, closed, status) => {
  const [app, open] = [await start({ auth }), await start({})];
  for (const lines of [[], ["Authorization: Bearer x.y.z"], ["Authorization: Basic YTpi"]]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await app.send(method, path, lines);
      const expected = closed ? 401 : method === "GET" ? status : 405;
      expect([method, lines, statusOf(answer)]).toEqual([method, lines, expected]);
      expect(/www-authenticate: bearer .*resource_metadata=/i.test(answer)).toBe(closed);
    }
  }
  expect(statusOf(await open.send("GET", path))).toBe(closed ? status : 404);
});

test("whoever sends too much is told when to come again, on every route", async () => {
  process.env["TENON_RATE_LIMIT"] = "3/h";
  const app = await start({});
  for (let turn = 0; turn < 3; turn++) expect(statusOf(await app.send("GET", "/agents"))).toBe(405);
  const answer = await app.send("GET", "/agents");
  expect(statusOf(answer)).toBe(429);
  expect(answer).toMatch(/retry-after: \d+/i);
});
