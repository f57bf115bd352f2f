import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { fakeSidecar } from "../support/fake-sidecar.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { launchEntry } from "../support/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { legacyBody } from "./mcp/raw-http.ts";

const entry = join(inject("bundledServices"), "hooks.js");
const launch = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ReturnType<typeof launchEntry> =>
  launchEntry(entry, args, env);

/** Words of hooks and jobs, in order. */
function said(stderr: string): readonly string[] {
  return stderr
    .split("\n")
    .filter((line) => /^(?:onStart|onStop|closed|job (?:begins|ends)|Hooks .* listens)/.test(line));
}

test("REST: nothing is served before onStart has ended; onStop comes after the last job", async () => {
  const service = await launch([], { TEST_HOOKS: "slow job" }).listening;
  const answer = service.post({});
  await expect.poll(() => service.stderr()).toContain("job begins");
  const ended = service.stop();
  expect(await (await answer).json()).toBe(true);
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(said(stderr)).toEqual([
    "onStart",
    expect.stringContaining("listens"),
    "job begins",
    "job ends",
    "onStop",
    "closed",
  ]);
});

test("an onStart that throws ends the start in one line; the log has the rest", async () => {
  const { code, stdout, stderr } = await launch([], { TEST_HOOKS: "start throws" }).ended;
  expect([code, stdout, said(stderr)]).toEqual([1, "", ["onStart"]]);
  const [, record = "", last] = stderr.trimEnd().split("\n");
  expect(JSON.parse(record)).toMatchObject({
    level: "CRITICAL",
    msg: "onStart failed",
    error: { message: "no database" },
  });
  expect(last).toBe("The service does not start, because its onStart failed: no database");
});

test("an onStart that takes too long does, too", async () => {
  const { code, stderr } = await launch([], { TEST_HOOKS: "start hangs", PLATFORM_START_TIMEOUT: "0.1" }).ended;
  expect([code, stderr]).toEqual([
    1,
    "onStart\nThe service does not start, because its onStart took longer than 0.1 s. " +
      "Give it more time by PLATFORM_START_TIMEOUT, in seconds.\n",
  ]);
});

test("an onStop that throws is in the log, and the service stops", async () => {
  const service = await launch([], { TEST_HOOKS: "stop throws" }).listening;
  const { code, stderr } = await service.stop();
  expect([code, stderr]).toEqual([0, expect.stringContaining('"onStop failed"')]);
});

test("an address in use: what was opened is put away", async () => {
  const first = await launch([]).listening;
  const { code, stderr } = await launch(["--port", new URL(first.url).port]).ended;
  expect([code, said(stderr)]).toEqual([1, ["onStart", "onStop", "closed"]]);
  await first.stop();
});

test("MCP over stdio: a client is greeted at once, and its calls wait", async () => {
  const { stdin, stdout, ended } = launch(["--with-mcp-stdio"]);
  stdin.write(`${legacyBody("tools/list")}\n${legacyBody("tools/call", { name: "look", arguments: {} }, 2)}\n`);
  await expect.poll(() => stdout().split("\n").length).toBe(3);
  stdin.end();
  const { code, stderr } = await ended;
  const messages = stdout().trim().split("\n");
  expect(code).toBe(0);
  expect(messages.map((message) => JSON.parse(message).id)).toEqual([1, 2]);
  expect(JSON.parse(messages[1] ?? "").result.structuredContent).toEqual({ result: true });
  expect(said(stderr)).toEqual(["onStart", "job begins", "job ends", "onStop", "closed"]);
});

test("MCP over stdio: a signal while the client's end is handled runs onStop once, and waits for it", async () => {
  const { terminate, stdin, stderr, ended } = launch(["--with-mcp-stdio"], { TEST_HOOKS: "slow stop" });
  stdin.write(`${legacyBody("tools/call", { name: "look", arguments: {} })}\n`);
  await expect.poll(() => stderr()).toContain("job ends");
  stdin.end();
  await expect.poll(() => stderr()).toContain("onStop");
  terminate();
  const { code, stderr: all } = await ended;
  expect([code, said(all)]).toEqual([0, ["onStart", "job begins", "job ends", "onStop", "closed"]]);
});

test("MCP over stdio: a signal, or the client's end, does not wait for onStart", async () => {
  for (const end of ["signal", "input"]) {
    const { terminate, stdin, stderr, ended } = launch(["--with-mcp-stdio"], { TEST_HOOKS: "start hangs" });
    await expect.poll(() => stderr()).toContain("onStart");
    if (end === "signal") terminate();
    else stdin.end();
    const { code, stderr: all } = await ended;
    expect([end, code, said(all)]).toEqual([end, 0, ["onStart"]]);
  }
});

test("MCP over stdio: an uncaught exception ends the process with code 1, also while onStart runs", async () => {
  for (const [how, words] of [
    ["start breaks", ["onStart"]],
    ["breaks", ["onStart", "onStop", "closed"]],
  ] as const) {
    const { code, stderr } = await launch(["--with-mcp-stdio"], { TEST_HOOKS: how }).ended;
    expect([how, code, said(stderr)]).toEqual([how, 1, words]);
    expect(stderr).toContain("connection lost");
  }
});

test("the collector gets the record of an onStart that throws, however the service is started", async () => {
  const file = join(temporaryFolder(), "request.json");
  writeFileSync(file, "{}");
  const sink = await startOtlpSink();
  const env = { TEST_HOOKS: "start throws", OTEL_EXPORTER_OTLP_ENDPOINT: sink.url };
  for (const [args, more] of [
    [[], {}],
    [["--with-mcp-stdio"], {}],
    [["--test-file", file], {}],
    [[], { TEST_FLAVOUR: "batch", PLATFORM_BASE_URL: "http://127.0.0.1:9" }],
  ] as const) {
    const before = sink.of("logs").length;
    expect((await launch(args, { ...env, ...more }).ended).code).toBe(1);
    const bodies = sink.of("logs").slice(before);
    expect(bodies.map(({ body }) => body.toString("latin1"))).toEqual([expect.stringContaining("onStart failed")]);
  }
  await sink.close();
});

test("a start that is refused after onStart runs onStop", async () => {
  const { code, stderr } = await launch([], { TENON_STORE: "sqlite:/dev/null/jobs" }).ended;
  expect([code, said(stderr)]).toEqual([1, ["onStart", "onStop", "closed"]]);
});

test("batch: around all jobs", async () => {
  const sidecar = await fakeSidecar();
  sidecar.add({ id: "one", content: {} });
  sidecar.finish();
  const { code, stderr } = await launch([], { TEST_FLAVOUR: "batch", PLATFORM_BASE_URL: sidecar.url }).ended;
  expect(code).toBe(0);
  expect(said(stderr)).toEqual(["onStart", "job begins", "job ends", "onStop", "closed"]);
  expect(sidecar.taken("result").map(({ body }) => body)).toEqual([true]);
  await sidecar.close();
});

test("--test-file runs them, a flag that prints does not", async () => {
  const file = join(temporaryFolder(), "request.json");
  writeFileSync(file, "{}");
  for (const flavour of ["lambda", "batch"]) {
    const tested = await launch(["--test-file", file], { TEST_FLAVOUR: flavour }).ended;
    expect([tested.code, tested.stdout]).toEqual([0, "true\n"]);
    expect(said(tested.stderr)).toEqual(["onStart", "job begins", "job ends", "onStop", "closed"]);
    const printed = await launch(["--print-service-description"], { TEST_FLAVOUR: flavour }).ended;
    expect([printed.code, printed.stderr]).toEqual([0, ""]);
  }
});
