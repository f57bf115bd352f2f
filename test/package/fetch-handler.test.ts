import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build } from "esbuild";
import { bareEnv } from "../support/bare-env.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";
import { startWorkerd } from "../support/workerd.ts";

const source = `import {
  createFetchHandler, loggingInit, Service, startLambdaServer, ValueError, type JobContext,
} from "tenon";
loggingInit();
/**
 * Waits, then says the number.
 * @tool
 * @schema urn:example:schema.say.request.1
 * @param n - The number.
 */
export async function say(n: number, job: JobContext): Promise<number> {
  if (n < 0) throw new ValueError("n is negative");
  await job.report.step("wait", () => new Promise((resolve) => setTimeout(resolve, 20)));
  return n;
}
const service = new Service({ name: "Say" });
const handler = createFetchHandler(service);
export default {
  fetch: (request: Request) => handler(request),
  listen: () => startLambdaServer(service, { host: "127.0.0.1", port: 0 }),
};
`;
const init = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
const call = { name: "say", arguments: { n: 7 } };
/** Name, path, body of a POST, headers. */
const requests: readonly (readonly [string, string, unknown?, Record<string, string>?])[] = [
  ["call", "/tool/say", { n: 997 }],
  ["call on the other path", "/tool", { n: 1 }],
  ["bad request", "/tool/say", { n: "x" }],
  ["user's mistake", "/tool/say", { n: -1 }],
  ["no JSON", "/tool/say", undefined, { "x-body": "{" }],
  ["description", "/tool/say"],
  ["OpenAPI", "/openapi.json"],
  ["ready", "/readyz"],
  ["nothing", "/nothing"],
  ["MCP, a call", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }],
  ["MCP, with the full engine", "/mcp", { jsonrpc: "2.0", id: 2, method: "prompts/list" }],
  ["MCP, initialize", "/mcp", { jsonrpc: "2.0", id: 3, method: "initialize", params: init }],
];
/** Jobs that outlive their request. */
const kept: typeof requests = [
  ["deferred", "/tool/say", { n: 4 }, { prefer: "respond-async", "job-id": "one" }],
  ["its result", "/jobs/one", undefined, { prefer: "wait=5" }],
  ["its events", "/jobs/one/events"],
];

/** Sends the requests and prints what came, without what differs from run to run. */
const script = `import service from "./dist/service.mjs";
const answers = {};
for (const [name, path, body, headers] of ${JSON.stringify([...requests, ...kept])}) {
  const text = headers?.["x-body"] ?? (body == null ? undefined : JSON.stringify(body));
  const init = { headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" } };
  if (text !== undefined) Object.assign(init, { method: "POST", body: text });
  const response = await service.fetch(new Request("http://localhost" + path, init));
  answers[name] = [response.status, await response.text()];
}
// As a process of its own would do it.
const server = await service.listen();
const headers = { "content-type": "application/json" };
const response = await fetch(server.url + "/tool/say", { method: "POST", headers, body: '{"n":12}' });
answers["whole server"] = [response.status, await response.text()];
console.log(JSON.stringify(answers));
process.exit(0);
`;

type Answers = Readonly<Record<string, readonly [number, string]>>;

let user: PackedProject;
let onNode: Answers;
beforeAll(() => {
  user = packedProject({ "src/service.ts": source, "ask.mjs": script });
  expect(user.tenon("build", "--no-code-cache")).toMatchObject({ status: 0 });
  onNode = run(process.execPath);
});
afterAll(() => user.dispose());

function run(program: string, ...words: readonly string[]): Answers {
  const { stdout, stderr } = spawnSync(program, [...words, "ask.mjs"], {
    cwd: user.root,
    encoding: "utf8",
    // Deno and Bun look for updates and caches of their own.
    env: { ...bareEnv(), HOME: user.root, DENO_DIR: user.root, DENO_NO_UPDATE_CHECK: "1", PATH: process.env["PATH"] },
  });
  expect([stdout, stderr]).not.toEqual(["", expect.anything()]);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answers;
}

/** Ids and times out. */
function plain([status, text]: readonly [number, string] = [0, ""]): readonly [number, string] {
  const same = text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    // Engines differ in what they say of a mistake in JSON.
    .replace(/, at position \d+ \(.*?\)/, "")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
  return [status, same];
}

test("on Node", () => {
  const statuses = Object.entries(onNode).map(([name, [status]]) => [name, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    call: 200,
    "call on the other path": 200,
    "bad request": 422,
    "user's mistake": 400,
    "no JSON": 400,
    description: 200,
    OpenAPI: 200,
    ready: 200,
    nothing: 404,
    "MCP, a call": 200,
    "MCP, with the full engine": 200,
    "MCP, initialize": 200,
    deferred: 202,
    "its result": 200,
    "its events": 200,
    "whole server": 200,
  });
  expect([onNode["call"]?.[1], onNode["its result"]?.[1], onNode["whole server"]?.[1]]).toEqual(["997", "4", "12"]);
  expect(onNode["its events"]?.[1]).toContain("platform.job.result");
  expect(onNode["MCP, a call"]?.[1]).toContain('"structuredContent":{"result":7}');
});

describe.each([
  ["Bun", "bun", []],
  ["Deno", "deno", ["run", "-A", "--no-lock"]],
] as const)("%s", (_name, program, words) => {
  test("answers as Node does", () => {
    const answers = run(resolve("node_modules/.bin", program), ...words);
    for (const [name, answer] of Object.entries(answers))
      expect([name, plain(answer)]).toEqual([name, plain(onNode[name])]);
  });
});

test("a worker (workerd) answers calls and MCP as Node does, and keeps no jobs", async () => {
  // As wrangler does it: one file, with an address for modules that want one.
  await build({
    entryPoints: [resolve(user.root, "dist/service.mjs")],
    outfile: join(user.root, "worker.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    define: { "import.meta.url": '"file:///service.mjs"' },
    logLevel: "error",
  });
  const url = await startWorkerd(user.root, ["nodejs_compat"]);
  const ask = async ([, path, body, headers]: (typeof requests)[number]): Promise<readonly [number, string]> => {
    const text = headers?.["x-body"] ?? (body === undefined ? undefined : JSON.stringify(body));
    const accept = "application/json, text/event-stream";
    const response = await fetch(url + path, {
      headers: { ...headers, "content-type": "application/json", accept },
      ...(text !== undefined && { method: "POST", body: text }),
    });
    return [response.status, await response.text()];
  };
  for (const request of requests)
    expect([request[0], plain(await ask(request))]).toEqual([request[0], plain(onNode[request[0]])]);
  for (const request of kept) expect((await ask(request))[0]).toBeGreaterThanOrEqual(404);
});
