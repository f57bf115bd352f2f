import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
let entry: string;
beforeAll(() => {
  user = packedProject(primeFiles);
  expect(user.tenon("build", "--source-maps")).toMatchObject({ status: 0 });
  entry = join(user.root, "dist/service.mjs");
});
afterAll(() => user.dispose());

/** Files that a file imports without waiting for anything, itself included. */
function importedBy(file: string, found: Set<string> = new Set()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\b[^;]*?"(\.{1,2}\/[^"]+)"/gm,
  ))
    importedBy(join(dirname(file), specifier), found);
  return found;
}

/** The modules that a chunk is made of; none for what the bundler made itself. */
function sourcesOf(chunk: string): readonly string[] {
  if (!existsSync(`${chunk}.map`)) return [];
  return (JSON.parse(readFileSync(`${chunk}.map`, "utf8")) as { readonly sources: readonly string[] }).sources;
}

const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

// Of OpenTelemetry everything: its SDK is a file of ours.
const heavy =
  /node_modules\/(?:@modelcontextprotocol|@opentelemetry|zod|openai|ajv)\/|\/runtime\/telemetry\/s(?:dk|pans)\//;

/** Chunks that a server had loaded when it had answered a request. */
async function loadedBy(flags: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-coverage-"));
  try {
    const served = await serve(entry, flags, { NODE_V8_COVERAGE: folder });
    const body = JSON.stringify({ number: 997 });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${served.url}/tool`, { method: "POST", headers, body })).status).toBe(200);
    expect(await served.stop()).toBe(0);
    const reports = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const scripts = reports.flatMap((text) => (JSON.parse(text) as { result: readonly { url: string }[] }).result);
    return [...new Set(scripts.flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : [])))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Code that stays away from a start: what runs jobs, and what only some of them need. */
const later = [
  "contract/validation/report/report",
  "executor/job-executor",
  "executor/run/run-job",
  "executor/run/explain-values",
  "executor/run/ask",
  "executor/store/memory/memory",
  "outside/outbound/rules/decide-request",
  "outside/platform/delivery/delivery",
  "outside/platform/delivery/sidecar-sink",
  "outside/platform/delivery/spool",
  "fronts/http/middleware/middleware",
  "fronts/mcp/calls/tool-port",
];

/** Code that the first answer over REST does not need; a folder ends with a slash. */
const needlessForRest = [
  "contract/validation/report/report",
  "executor/store/open-store",
  "executor/run/explain-values",
  "fronts/mcp/",
  "outside/platform/delivery/delivery",
  "outside/platform/delivery/sidecar-sink",
  "outside/platform/delivery/spool",
];

/** True when a source file of a chunk is one of these modules of the runtime. */
const isOneOf =
  (modules: readonly string[]) =>
  (source: string): boolean =>
    modules.some((name) => source.includes(`/runtime/${name.endsWith("/") ? name : `${name}.js`}`));

test.each([...later, ...needlessForRest])("runtime/%s exists, so that its absence says something", (name) => {
  expect(existsSync(name.endsWith("/") ? `runtime/${name}` : `runtime/${name}.ts`)).toBe(true);
});

/** The code of modules: of one that runs a script beside it, the script. */
const kilobytes = (files: readonly string[]): number =>
  files.map(codeOf).reduce((sum, file) => sum + statSync(file).size, 0) / 1000;

function codeOf(chunk: string): string {
  const script = chunk.replace(/mjs$/, "js");
  return existsSync(script) ? script : chunk;
}

/** The chunk of which a module of ours is a part. */
function chunkOf(module: string): string {
  const folder = join(user.root, "dist/chunks");
  const found = readdirSync(folder).find((name) =>
    sourcesOf(join(folder, name)).some((source) => source.endsWith(`runtime/${module}.js`)),
  );
  if (found === undefined) throw new Error(`No chunk holds ${module}.`);
  return join(folder, found);
}

describe("what is loaded without waiting", () => {
  test("for any start: the entry and a chunk, at most 86 kB", () => {
    const files = [...importedBy(entry)];
    expect(files.length).toBeLessThanOrEqual(2);
    expect(kilobytes(files)).toBeLessThanOrEqual(86);
    expect(files.flatMap(sourcesOf).filter((source) => heavy.test(source) || isOneOf(later)(source))).toEqual([]);
  });

  test("for the first answer over stdio: one chunk more, together at most 121 kB", () => {
    const files = [...importedBy(chunkOf("start/run-mcp-stdio"), new Set(importedBy(entry)))];
    expect(files.length).toBeLessThanOrEqual(3);
    expect(kilobytes(files)).toBeLessThanOrEqual(121);
    expect(files.flatMap(sourcesOf).filter((source) => heavy.test(source) || isOneOf(later)(source))).toEqual([]);
  });

  test("for the first answer over REST: one chunk more, together at most 240 kB", () => {
    const files = [...importedBy(chunkOf("start/parts/serving"), new Set(importedBy(entry)))];
    expect(files.length).toBeLessThanOrEqual(3);
    // 10 kB more than in the version before: framing and CORS are checked, connections watched, callers known to jobs,
    // and stores tell of changes. 2 kB more: any process can answer the questions of a job, and the last attempt runs
    // apart. 10 kB more: one door for every host, whose exchange is here, and jobs that keep steps, wait and are taken
    // up again. 1 kB more: the memory of waiting requests is bounded. 2 kB more: so is that of cancelled jobs and of
    // functions that outlast their jobs, and events wait together for the store. 1 kB more: a job stays in its
    // process while the code of its first question is loaded.
    expect(kilobytes(files)).toBeLessThanOrEqual(240);
    expect(files.flatMap(sourcesOf).filter((source) => heavy.test(source) || isOneOf(needlessForRest)(source))).toEqual(
      [],
    );
  });
});

test("a start asks for the chunks themselves, with no file between that only hands on", () => {
  const text = readFileSync(chunkOf("start/start"), "utf8");
  for (const module of ["start/run-mcp-stdio", "start/parts/serving"])
    expect(text).toContain(`import("./${basename(chunkOf(module))}")`);
});

test("our chunks are ASCII until the first answer: any other character makes V8 read two bytes for each", () => {
  const modules = ["start/run-mcp-stdio", "start/parts/serving"].flatMap((module) => [...importedBy(chunkOf(module))]);
  const files = modules.map(codeOf);
  const others = files.map((file) => [basename(file), readFileSync(file, "utf8").match(/.{0,40}\P{ASCII}.*/u)?.[0]]);
  expect(others.filter(([, text]) => text !== undefined)).toEqual([]);
});

test("a service greets over stdio, and listens, before what runs jobs is loaded", () => {
  const moved = join(user.root, "moved");
  cpSync(join(user.root, "dist"), moved, { recursive: true });
  rmSync(join(moved, "chunks", basename(chunkOf("executor/job-executor"))));
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: handshake };
  const stdio = user.node([join(moved, "service.mjs"), "--with-mcp-stdio"], { input: `${JSON.stringify(hello)}\n` });
  expect(JSON.parse(stdio.stdout)).toMatchObject({
    id: 1,
    result: {
      serverInfo: { name: "Prime numbers" },
      instructions: "Tests numbers.\n\n- isPrime: Tests whether a number is prime.",
    },
  });
  const rest = user.node([join(moved, "service.mjs"), "--host", "127.0.0.1", "--port", "0"]);
  expect(rest.stderr).toContain("listens on http://127.0.0.1:");
  // An incomplete installation ends the process instead of leaving one that answers nothing.
  expect([stdio.status, rest.status]).toEqual([1, 1]);
});

test("a REST service has loaded no MCP SDK, no OpenTelemetry SDK and no zod when it has answered", async () => {
  const loaded = await loadedBy([]);
  expect(loaded).toContain(entry);
  expect(loaded.flatMap(sourcesOf).filter((source) => heavy.test(source))).toEqual([]);
});

test("telemetry and the MCP SDK have chunks of their own", () => {
  const chunks = readdirSync(join(user.root, "dist/chunks")).filter((name) => name.endsWith(".mjs"));
  const holding = (name: string): readonly string[] =>
    chunks.filter((chunk) => sourcesOf(join(user.root, "dist/chunks", chunk)).some((source) => source.includes(name)));
  const [mcp, telemetry] = [holding("@modelcontextprotocol/server"), holding("/runtime/telemetry/sdk/official.js")];
  expect(mcp.length).toBeGreaterThan(0);
  expect(telemetry.length).toBeGreaterThan(0);
  expect(mcp.filter((chunk) => telemetry.includes(chunk))).toEqual([]);
});

test("a build has no front that its service cannot reach, whatever its flags: a worker has none of HTTP and MCP", () => {
  const worker = packedProject({
    ...primeFiles,
    "src/service.ts": (primeFiles["src/service.ts"] ?? "").replaceAll("startLambdaServer", "startBatchService"),
  });
  try {
    expect(worker.tenon("build", "--source-maps")).toMatchObject({ status: 0 });
    const fronts = (root: string): readonly string[] => {
      const folder = join(root, "dist/chunks");
      const sources = readdirSync(folder).flatMap((name) => sourcesOf(join(folder, name)));
      const found = sources.flatMap((source) => /\/runtime\/(fronts\/(?:mcp|rest))\//.exec(source)?.[1] ?? []);
      return [...new Set(found)].toSorted();
    };
    expect(fronts(user.root)).toEqual(["fronts/mcp", "fronts/rest"]);
    expect(fronts(worker.root)).toEqual([]);
  } finally {
    worker.dispose();
  }
});
