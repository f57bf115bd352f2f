import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { expireLeases } from "../../support/expire-leases.ts";
import { launchEntry, type LaunchedService } from "../../support/launch.ts";
import { startPostgres, type PostgresServer } from "../../support/postgres-server.ts";
import { modernBody, modernHeaders } from "./raw-http.ts";

const entry = join(inject("bundledServices"), "lambda.js");
const eventually = { timeout: 90_000, interval: 50 };

let server: PostgresServer;
let schemas = 0;
const running: LaunchedService[] = [];
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((replica) => replica.kill()));
});
afterAll(() => server.stop());

/** Two replicas of a service whose tool asks, with one database and one key. */
async function pair(): Promise<[LaunchedService, LaunchedService]> {
  const env = {
    TENON_STORE: server.url(`asking${schemas++}`),
    TENON_STATE_KEY: "k".repeat(32),
    TEST_TOOLS: "asking",
    PLATFORM_SHUTDOWN_GRACE: "5",
  };
  const [a, b] = await Promise.all([0, 1].map(() => launchEntry(entry, ["--with-mcp"], env).listening));
  if (a === undefined || b === undefined) throw new Error("no replicas");
  running.push(a, b);
  return [a, b];
}

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly structuredContent?: unknown };
}

async function send(at: LaunchedService, method: string, params: Record<string, unknown>, name: string): Promise<Task> {
  const capabilities = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
  const meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
  const response = await fetch(`${at.url}/mcp`, {
    method: "POST",
    body: modernBody(method, { ...params, _meta: meta }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...modernHeaders(method, name),
    },
  });
  const text = await response.text();
  const { result, error } = JSON.parse(text.replace(/^[^]*?data: /, "")) as { result?: Task; error?: unknown };
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

const call = (at: LaunchedService): Promise<Task> =>
  send(at, "tools/call", { name: "asking", arguments: { ms: 200 } }, "asking");
const get = (at: LaunchedService, taskId: string): Promise<Task> => send(at, "tasks/get", { taskId }, taskId);
const accept = (answer: boolean): object => ({ action: "accept", content: { answer } });
const update = (at: LaunchedService, taskId: string, inputResponses: object): Promise<Task> =>
  send(at, "tasks/update", { taskId, inputResponses }, taskId);

/** Waits until a replica shows a question, and nothing else. */
async function asks(at: LaunchedService, taskId: string, key: string): Promise<void> {
  const shown = async (): Promise<unknown> => {
    const { status, inputRequests } = await get(at, taskId);
    return [status, Object.keys(inputRequests ?? {})];
  };
  await expect.poll(shown, eventually).toEqual(["input_required", [key]]);
}

async function ended(at: LaunchedService, taskId: string): Promise<unknown> {
  await expect.poll(async () => (await get(at, taskId)).status, eventually).toBe("completed");
  return (await get(at, taskId)).result?.structuredContent;
}

test("any replica shows the question of a task and takes its answer; the task goes on where it runs", async () => {
  const [a, b] = await pair();
  const { taskId } = await call(a);
  await asks(b, taskId, "first");
  // An answer that the question does not accept is ignored, and the question stays.
  await update(b, taskId, { first: accept("perhaps" as never), unknown: accept(true) });
  await asks(b, taskId, "first");
  await update(b, taskId, { first: accept(true) });
  await asks(b, taskId, "second");
  await asks(a, taskId, "second");
  await update(a, taskId, { second: accept(false) });
  expect(await ended(b, taskId)).toEqual({ pid: a.pid, first: true, second: false });
});

test("the replica that asked dies: the next one knows the answers, also those that came after its death", async () => {
  const [a, b] = await pair();
  const { taskId } = await call(a);
  await asks(a, taskId, "first");
  await update(a, taskId, { first: accept(true) });
  await asks(b, taskId, "second");
  await a.kill();
  await update(b, taskId, { second: accept(true) });
  expect((await get(b, taskId)).status).toBe("working");
  await expireLeases(server.url(`asking${schemas - 1}`));
  expect(await ended(b, taskId)).toEqual({ pid: b.pid, first: true, second: true });
});

test("a replica that stops gives a task that waits for its answer to another one, which asks again", async () => {
  const [a, b] = await pair();
  const { taskId } = await call(a);
  await asks(b, taskId, "first");
  expect((await a.stop()).code).toBe(0);
  await asks(b, taskId, "first");
  await update(b, taskId, { first: accept(false) });
  await asks(b, taskId, "second");
  await update(b, taskId, { second: accept(true) });
  expect(await ended(b, taskId)).toEqual({ pid: b.pid, first: false, second: true });
});
