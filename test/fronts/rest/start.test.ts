import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { bareEnv } from "../../support/bare-env.ts";
import { json } from "../../support/serve.ts";

const entry = join(inject("bundledServices"), "lambda.js");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
interface Started {
  readonly url: string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

function launch(
  args: readonly string[],
  env: Record<string, string> = {},
): { listening: Promise<Started>; ended: Promise<Ended> } {
  const child = spawn("node", [entry, ...args], {
    cwd: folder,
    env: { ...bareEnv(), HOST: "127.0.0.1", PORT: "0", ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
  const listening = new Promise<Started>((resolve) => {
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
      const url = /listens on (http:\S+)\n/.exec(stderr)?.[1];
      if (url !== undefined) resolve({ url, ended, kill: (signal) => void child.kill(signal) });
    });
  });
  return { listening, ended };
}

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return launch(args, env).ended;
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/tool`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Headers of a call that the test lets run, and whose answer it awaits. */
const waiting = { "job-id": "running", prefer: "wait=600" };

async function isRunning({ url }: Started): Promise<void> {
  await expect.poll(async () => (await fetch(`${url}/jobs/running`)).status).toBe(202);
}

test("one line when it listens; a tool; an orderly end that does not wait for the grace when idle", async () => {
  const server = await launch([], { PLATFORM_SHUTDOWN_GRACE: "3600" }).listening;
  expect(await (await post(server.url, { ms: 1 })).json()).toEqual({ waited: 1 });
  server.kill("SIGTERM");
  const { code, stdout, stderr } = await server.ended;
  expect([code, stdout]).toEqual([0, ""]);
  const [first, ...records] = stderr.trimEnd().split("\n");
  expect(first).toBe(`Test service 1.2.3, console at /docs, listens on ${server.url}`);
  expect(records.map((line) => JSON.parse(line).msg)).toEqual(["waiting", "stopping"]);
  expect(JSON.parse(records[0] ?? "")).toMatchObject({
    level: expect.stringMatching(/^info$/i),
    name: "service",
    tool: "slow",
    job_id: expect.stringMatching(/^urn:platform:job:/),
  });
});

test("SIGTERM: no new jobs, running ones finish, clients are told to go elsewhere", async () => {
  const server = await launch([]).listening;
  const gate = join(folder, "gate");
  const running = post(server.url, { ms: 1, gate }, waiting);
  await isRunning(server);
  server.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
  const refused = await post(server.url, { ms: 1 });
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("connection")]).toEqual([
    503,
    "1",
    "close",
  ]);
  expect((await json(refused)).type).toBe("urn:platform:problem:draining");
  writeFileSync(gate, "");
  const answer = await running;
  expect([answer.status, await answer.json()]).toEqual([200, { waited: 1 }]);
  expect((await server.ended).code).toBe(0);
});

test("SIGTERM: what does not end within the grace is aborted", async () => {
  const server = await launch([], { PLATFORM_SHUTDOWN_GRACE: "0.1" }).listening;
  const running = post(server.url, { ms: 3_600_000 }, waiting);
  await isRunning(server);
  server.kill("SIGINT");
  const answer = await running;
  expect([answer.status, (await json(answer)).type]).toEqual([503, "urn:platform:problem:draining"]);
  expect((await server.ended).code).toBe(0);
});

test("a second signal ends it at once", async () => {
  const server = await launch([]).listening;
  const running = post(server.url, { ms: 3_600_000 }, waiting).catch(() => "reset");
  await isRunning(server);
  server.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
  server.kill("SIGTERM");
  expect((await server.ended).code).toBe(143);
  expect(await running).toBe("reset");
});

test("stray errors belong to their job and do not end the process", async () => {
  const server = await launch([]).listening;
  const rejection = await post(server.url, { ms: 5, stray: "rejection" });
  expect(rejection.status).toBe(200);
  const thrown = await post(server.url, { ms: 60_000, stray: "throw" }, { prefer: "wait=20" });
  expect([thrown.status, (await json(thrown)).type]).toEqual([500, "urn:platform:problem:system"]);
  const after = await post(server.url, { ms: 0 });
  expect(after.status).toBe(200);
  server.kill("SIGTERM");
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  const records = stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const errors = records.filter(({ level }) => /^error$/i.test(level));
  expect(errors.map(({ msg, job_id, error }) => [msg, job_id, error.message])).toEqual([
    ["unhandled rejection", rejection.headers.get("job-id"), "stray rejection"],
    ["job failed", thrown.headers.get("job-id"), "stray throw"],
  ]);
});

test("a throw from outside of every job: the service stops in order, with exit code 1", async () => {
  const server = await launch([]).listening;
  const gate = join(folder, "gate of the throw");
  const running = post(server.url, { ms: 1, gate }, waiting);
  await isRunning(server);
  server.kill("SIGUSR2");
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
  writeFileSync(gate, "");
  const { code, stderr } = await server.ended;
  expect([code, await (await running).json()]).toEqual([1, { waited: 1 }]);
  expect(stderr).toContain('"msg":"uncaught exception outside of every job"');
});

test("readiness asks the tools", async () => {
  const server = await launch([], { TEST_READY: "no" }).listening;
  const response = await fetch(`${server.url}/readyz`);
  expect([response.status, await response.json()]).toEqual([503, { status: "unavailable", tools: ["slow"] }]);
  server.kill("SIGTERM");
  await server.ended;
});

test("print flags", async () => {
  const service = await run(["--print-service-description"], {
    PLATFORM_SERVICE_ID: "urn:platform:service:1",
    ENTRYPOINT: "['node', 'x.js']",
  });
  expect([service.code, service.stderr]).toEqual([0, ""]);
  expect(JSON.parse(service.stdout)).toMatchObject({
    $id: "urn:platform:service:1",
    name: "Test service",
    version: "1.2.3",
    controller: { command: ["node", "x.js"] },
  });
  const tool = await run(["--print-tool-description"]);
  expect([tool.code, JSON.parse(tool.stdout).name]).toEqual([0, "slow"]);
  const one = await run(["--print-service-description", "other"], { TEST_TOOLS: "slow other" });
  expect(JSON.parse(one.stdout).tools).toMatchObject([{ name: "other", path: "/tool/other" }]);
  const all = await run(["--print-tool-description"], { TEST_TOOLS: "slow other" });
  expect(JSON.parse(all.stdout).tools.map(({ name }: { name: string }) => name)).toEqual(["slow", "other"]);
});

test("--help and --version", async () => {
  const help = await run(["--help"]);
  expect([help.code, help.stderr, help.stdout.startsWith("Test service\n\nFlags:\n")]).toEqual([0, "", true]);
  const version = await run(["--version"]);
  expect([version.code, version.stdout]).toEqual([0, "Test service 1.2.3 (tenon 0.1.0)\n"]);
});

test("--test-file: bare request and envelope to stdout; a failure in words and exit code 1", async () => {
  const file = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    return name;
  };
  const level = { PLATFORM_LOG_LEVEL: "ERROR" };
  expect(await run(["--test-file", file("bare.json", { ms: 1 })], level)).toEqual({
    code: 0,
    stdout: '{"waited":1}\n',
    stderr: "",
  });
  const envelope = { id: "urn:platform:job:1", "in-content-type": "application/json", "in-content": { ms: 2 } };
  expect(await run(["--test-file", file("envelope.json", envelope)], level)).toEqual({
    code: 0,
    stdout: '{"waited":2}\n',
    stderr: "",
  });
  const failed = await run(["--test-file", file("failed.json", { ms: -1 })], level);
  expect(failed).toEqual({ code: 1, stdout: "", stderr: "The tool refused its input: ms is negative\n" });
  const rejects = await run(["--test-file", file("rejects.json", { ms: 5, stray: "rejection" })], level);
  expect([rejects.code, rejects.stdout, rejects.stderr.includes('"unhandled rejection"')]).toEqual([
    0,
    '{"waited":5}\n',
    true,
  ]);
  const throws = await run(["--test-file", file("throws.json", { ms: 60_000, stray: "throw" })], level);
  expect([throws.code, throws.stdout, throws.stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/"job failed".*\nThe tool failed: .*\n$/),
  ]);
  const outside = await run(["--test-file", file("outside.json", { ms: 60_000, stray: "outside" })], level);
  expect([outside.code, outside.stdout, outside.stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/"uncaught exception outside of every job"[^]*\nThe tool failed: .*\n$/),
  ]);
  expect(await run(["--test-file", file("unref.json", { ms: 5, stray: "unref" })], level)).toEqual({
    code: 0,
    stdout: '{"waited":5}\n',
    stderr: "",
  });
  const invalid = await run(["--test-file", file("invalid.json", {})], level);
  expect([invalid.code, invalid.stderr.split("\n")[0]]).toEqual([1, "The request does not match its schema."]);
  expect((await run(["--test-file", "nope.json"])).stderr).toBe("The test file nope.json cannot be read (ENOENT).\n");
  const bad = await run(["--test-file", file("bad.json", "{")]);
  expect([bad.code, bad.stderr]).toEqual([
    1,
    "The test file bad.json is not usable: The request body is not valid JSON, at position 1 (line 1 column 2).\n",
  ]);
  const several = await run(["--test-file", "bare.json"], { TEST_TOOLS: "slow other" });
  expect([several.code, several.stderr]).toEqual([
    2,
    "--test-file needs --tool NAME, since the service has several: slow, other. Try --help.\n",
  ]);
  expect(
    (await run(["--test-file", "bare.json", "--tool", "other"], { ...level, TEST_TOOLS: "slow other" })).stdout,
  ).toBe("1\n");
});

test("mistakes of whoever starts it: one line, no stack, an exit code", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const pluginHint = "Check that the build uses tenon's plugin";
  const cases: readonly [string[], Record<string, string>, number, string][] = [
    [["--nope"], {}, 2, "Unknown flag --nope. Try --help."],
    [["--port", port], {}, 1, `Port ${port} on 127.0.0.1 is in use. Choose another with --port or PORT, or 0 for any.`],
    [["--host", "192.0.2.1"], {}, 1, "Cannot listen on 192.0.2.1, port 0 (EADDRNOTAVAIL). Check --host or HOST."],
    [[], { PLATFORM_SHUTDOWN_GRACE: "x" }, 1, 'PLATFORM_SHUTDOWN_GRACE is "x"; it must be a number of seconds.'],
    [
      [],
      { TEST_TOOLS: "none" },
      1,
      `The service has no tools. ${pluginHint}, that a function carries the tag @tool, and that the entry imports its module.`,
    ],
    [
      [],
      { TEST_TOOLS: "slow conflict" },
      1,
      'Two tools are called "slow": src/slow.ts:1 and src/again.ts:9. Rename one (@name).',
    ],
    [
      [],
      { TEST_TOOLS: "slow stray" },
      1,
      `platformLambda was given the function undefinedTool, which has no generated definition. ${pluginHint}, and that the function is exported: export const f = platformLambda(…).`,
    ],
    [["--print-service-description", "nope"], {}, 1, 'There is no tool "nope". This service has: slow.'],
    [
      ["--print-service-description"],
      { PLATFORM_RESOURCES_FILE: "nope.json" },
      1,
      "PLATFORM_RESOURCES_FILE names nope.json, which cannot be read (ENOENT).",
    ],
    [
      ["--print-service-description"],
      { DOCKERFILE: "nope" },
      1,
      "DOCKERFILE names nope, which cannot be read (ENOENT).",
    ],
  ];
  const ended = await Promise.all(cases.map(([args, env]) => run(args, env)));
  await new Promise((resolve) => taken.close(resolve));
  expect(ended.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual(
    cases.map(([, , code, line]) => [code, "", `${line}\n`]),
  );
});
