import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../../support/browser.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let browser: Browser;
let pages: readonly Server[];
let origins: readonly string[];
let server: TestServer;
const gate = deferred();

/** Two pages on ports of their own, of which one is listed. */
beforeAll(async () => {
  pages = [1, 2].map(() => createServer((_, response) => response.end("<!doctype html><title>page</title>")));
  await Promise.all(pages.map((page) => once(page.listen(0, "127.0.0.1"), "listening")));
  origins = pages.map((page) => `http://localhost:${(page.address() as AddressInfo).port}`);
  const tools = [
    fakeTool(({ text = "" }: { text?: string }) => ({ text }), { name: "echo", path: "/tool/echo" }),
    fakeTool(() => gate.promise, { name: "slow", path: "/tool/slow" }),
  ];
  const flags = ["--test-without-sidecar", "--with-mcp"];
  server = await serve(tools, {}, { TENON_ALLOWED_ORIGINS: origins[0] }, flags);
  browser = await openBrowser();
});
afterAll(async () => {
  gate.resolve();
  for (const page of pages) page.close();
  await Promise.all([server.stop(), browser.close()]);
});

/** The answer that a page of an origin gets from the service, all that it may see; or that its browser refused. */
async function callsOf(origin: string, url = server.url): Promise<Record<string, unknown>> {
  const page = await browser.newPage();
  await page.goto(origin);
  const text = await page.evaluate(`(${inPage.toString()})(${JSON.stringify(url)})`);
  await page.close();
  return text as Record<string, unknown>;
}

/** Runs in the browser. */
async function inPage(url: string): Promise<Record<string, unknown>> {
  const json = { "content-type": "application/json" };
  const attempt = async (call: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await call();
    } catch (error) {
      return String(error);
    }
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  return {
    rest: await attempt(async () => (await post("/tool/echo", { text: "hello" }, { traceparent: "00-1" })).json()),
    deferred: await attempt(async () => {
      const { status, headers } = await post("/tool/slow", {}, { prefer: "wait=0", "job-id": "seen-by-a-page" });
      return [status, headers.get("location"), headers.get("retry-after"), headers.get("job-id")];
    }),
    mistake: await attempt(async () => (await post("/tool/echo", { text: 1 })).status),
    mcp: await attempt(async () => {
      const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
      return ((await (await post("/mcp", list, headers)).json()) as { result: { tools: unknown[] } }).result.tools
        .length;
    }),
    events: await attempt(
      () =>
        new Promise((resolve) => {
          const source = new EventSource(`${url}/jobs/seen-by-a-page/events`);
          const end = (how: string): void => {
            source.close();
            resolve(how);
          };
          source.addEventListener("open", () => end("open"));
          source.addEventListener("error", () => end("refused"));
        }),
    ),
    cancel: await attempt(async () => (await fetch(`${url}/jobs/seen-by-a-page`, { method: "DELETE" })).status),
  };
}

test("in Chromium a page of a listed origin calls REST, MCP and events, and reads where its job is", async () => {
  expect(await callsOf(origins[0] ?? "")).toEqual({
    rest: { text: "hello" },
    deferred: [202, "/jobs/seen-by-a-page", "3", "urn:platform:job:seen-by-a-page"],
    mistake: 422,
    mcp: 2,
    events: "open",
    cancel: 202,
  });
});

test("in Chromium a page of another port of this machine gets nothing, and starts nothing", async () => {
  const refused = "TypeError: Failed to fetch";
  const nothing = {
    rest: refused,
    deferred: refused,
    mistake: refused,
    mcp: refused,
    events: "refused",
    cancel: refused,
  };
  expect(await callsOf(origins[1] ?? "")).toEqual(nothing);
});

/** Runs in the browser: what a page can send and read beyond plain calls. */
async function beyondPlain(url: string): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const body = '{"text":"hello"}';
  const attempt = async (call: () => Promise<unknown>): Promise<unknown> => call().catch(() => "refused");
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: "page", version: "1" },
    },
  };
  return {
    simple: await attempt(async () => (await fetch(`${url}/healthz`)).status),
    withCookies: await attempt(() =>
      fetch(`${url}/tool/echo`, { method: "POST", credentials: "include", headers, body }),
    ),
    unknownHeader: await attempt(() =>
      fetch(`${url}/tool/echo`, { method: "POST", headers: { ...headers, "x-strange": "1" }, body }),
    ),
    parameterHeader: await attempt(
      async () =>
        (await fetch(`${url}/tool/echo`, { method: "POST", headers: { ...headers, "mcp-param-region": "1" }, body }))
          .status,
    ),
    otherMethod: await attempt(() => fetch(`${url}/tool/echo`, { method: "PATCH", headers, body })),
    session: await attempt(async () => {
      const accept = "application/json, text/event-stream";
      const send = (message: object, more: Record<string, string> = {}): Promise<Response> =>
        fetch(`${url}/mcp`, {
          method: "POST",
          headers: { ...headers, accept, ...more },
          body: JSON.stringify(message),
        });
      const begun = await send(initialize);
      await begun.text();
      const id = begun.headers.get("mcp-session-id") ?? "not told";
      return (await send({ jsonrpc: "2.0", id: 2, method: "ping" }, { "mcp-session-id": id })).status + id.length;
    }),
    eventsByFetch: await attempt(async () => {
      await fetch(`${url}/tool/echo`, { method: "POST", headers: { ...headers, "job-id": "followed" }, body });
      const answer = await fetch(`${url}/jobs/followed/events`, { headers: { "last-event-id": "1" } });
      return (await answer.text()).includes('"status":"succeeded"');
    }),
  };
}

test("in Chromium a listed page has MCP sessions and events by fetch; cookies and unknown headers go nowhere", async () => {
  const page = await browser.newPage();
  await page.goto(origins[0] ?? "");
  expect(await page.evaluate(`(${beyondPlain.toString()})(${JSON.stringify(server.url)})`)).toEqual({
    simple: 200,
    withCookies: "refused",
    unknownHeader: "refused",
    parameterHeader: 200,
    otherMethod: "refused",
    session: 232,
    eventsByFetch: true,
  });
  await page.close();
});

test("in Chromium a page without an origin, in a sandbox or from a file, is told nothing and starts nothing", async () => {
  let runs = 0;
  const counted = await serve([fakeTool(() => ++runs)], {}, { TENON_ALLOWED_ORIGINS: origins[0] });
  onTestFinished(() => counted.stop());
  const call = `
    const told = [];
    for (const options of [{ headers: { "content-type": "application/json" } }, { headers: { "content-type": "text/plain" } },
      { mode: "no-cors" }, { mode: "no-cors", credentials: "include" }])
      told.push(await fetch(${JSON.stringify(`${counted.url}/tool`)}, { method: "POST", body: "{}", ...options })
        .then((answer) => answer.type + answer.status, () => "refused"));`;
  const nothing = ["refused", "refused", "opaque0", "opaque0"];
  const page = await browser.newPage();
  await page.goto(origins[0] ?? "");
  const inSandbox = await page.evaluate(`new Promise((resolve) => {
    addEventListener("message", ({ data, origin }) => resolve([origin, data]));
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.srcdoc = ${JSON.stringify(`<script>(async () => {${call} parent.postMessage(told, "*"); })()</script>`)};
    document.body.append(frame);
  })`);
  expect(inSandbox).toEqual(["null", nothing]);
  const file = join(temporaryFolder(), "page.html");
  writeFileSync(file, "<!doctype html><title>page</title>");
  await page.goto(pathToFileURL(file).href);
  expect(await page.evaluate(`(async () => {${call} return told; })()`)).toEqual(nothing);
  await page.close();
  expect(runs).toBe(0);
});

test("in Chromium a name that was pointed at the service loads no page of it, and calls nothing", async () => {
  const open = await serve([fakeTool(() => 1)], {}, { HOST: "0.0.0.0" });
  const url = `http://rebound.test:${open.port}`;
  const page = await browser.newPage();
  expect((await page.goto(`${url}/docs`))?.status()).toBe(403);
  const status = await page.evaluate(
    `fetch("/tool", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }).then((answer) => answer.status)`,
  );
  expect(status).toBe(403);
  expect((await page.goto(`${open.url}/docs`))?.status()).toBe(200);
  await page.close();
  await open.stop();
});

test("a preflight of a listed origin is 204 with what calls may send; nobody else gets a word", async () => {
  const [listed = "", other = ""] = origins;
  const ask = (origin: string): Promise<Response> =>
    fetch(`${server.url}/tool/echo`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, mcp-param-region, x-strange",
      },
    });
  const answer = await ask(listed);
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-origin")).toBe(listed);
  expect(answer.headers.get("vary")).toBe("Origin");
  expect(answer.headers.get("access-control-allow-headers")).toMatch(/content-type.*, mcp-param-region$/);
  const refused = await ask(other);
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
});

test("answers that caches may keep vary by origin; without listed origins there is no such header", async () => {
  expect((await server.get("/openapi.json")).headers.get("vary")).toBe("Origin");
  const plain = await serve([fakeTool(() => 1)]);
  const answer = await plain.get("/openapi.json", { origin: plain.url });
  expect([answer.status, answer.headers.get("vary"), answer.headers.get("access-control-allow-origin")]).toEqual([
    200,
    null,
    null,
  ]);
  await plain.stop();
});
