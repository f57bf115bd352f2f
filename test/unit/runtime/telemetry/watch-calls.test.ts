import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NotedCall, watchCalls } from "../../../../runtime/telemetry/watch-calls.ts";

const server: Server = createServer((request, response) => {
  if (request.url === "/cut") return void response.destroy();
  response.writeHead(request.url?.startsWith("/missing") === true ? 404 : 200);
  response.end("{}");
});
const current = new AsyncLocalStorage<string>();
const noted: (readonly [job: string, call: NotedCall])[] = [];
let origin = "";
let stop = (): void => {};

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = watchCalls({
    jobOf: () => current.getStore(),
    note: (job, call) => void noted.push([job, call]),
    clean: (text) => text.replaceAll("hunter2", "***"),
  });
});
afterAll(() => {
  stop();
  server.close();
});

test("requests of fetch and of node:http belong to the job that made them, without the values of their query", async () => {
  const began = Date.now();
  await current.run("urn:1", async () => {
    await (await fetch(`${origin}/prices?item=lamp&key=secret&item=desk`)).text();
    await (await fetch(`${origin}/missing/hunter2`, { method: "POST", body: "x" })).text();
  });
  await current.run("urn:2", async () => {
    const [response] = (await once(get(`${origin}/plain`), "response")) as [NodeJS.ReadableStream];
    response.resume();
    await once(response, "end");
  });
  await (await fetch(`${origin}/of-nobody`)).text();
  expect(noted.map(([job, { name, status }]) => [job, name, status])).toEqual([
    ["urn:1", `GET ${origin}/prices?item=…&key=…`, 200],
    ["urn:1", `POST ${origin}/missing/***`, 404],
    ["urn:2", `GET ${origin}/plain`, 200],
  ]);
  for (const [, { from, took, kind }] of noted) {
    expect(kind).toBe("request");
    expect(from).toBeGreaterThanOrEqual(began);
    expect(took).toBeGreaterThanOrEqual(0);
  }
});

test("a request that fails has the message of its error", async () => {
  noted.length = 0;
  await current.run("urn:3", () => fetch(`${origin}/cut`).catch(() => {}));
  expect(noted).toEqual([["urn:3", expect.objectContaining({ error: expect.stringMatching(/./) })]]);
});
