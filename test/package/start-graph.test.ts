import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
let entry: string;
beforeAll(() => {
  user = packedProject(primeFiles);
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  entry = join(user.root, "dist/service.mjs");
});
afterAll(() => user.dispose());

/** Files that a file imports without waiting for anything, itself included. */
function importedBy(file: string, found: Set<string> = new Set()): ReadonlySet<string> {
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

// Of OpenTelemetry everything but the api, which is small and all that records need.
const heavy = /node_modules\/(?:@modelcontextprotocol|@opentelemetry\/(?!api\/)|zod|openai|ajv)\//;

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

test("the entry and one chunk, at most 260 kB together, are all that a REST start needs until its first answer", () => {
  const files = [...importedBy(entry)];
  expect(files.length).toBeLessThanOrEqual(2);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(260_000);
  expect(files.flatMap(sourcesOf).filter((source) => heavy.test(source) || later.test(source))).toEqual([]);
});

/** Code that stays away from a start: reports of refusals, the sidecar, questions. */
const later =
  /runtime\/(?:validation\/report|jobs\/(?:explain-values|ask)|platform\/(?:delivery|spool)|events\/sidecar-sink)\.js$/;

test("a REST service has loaded no MCP SDK, no OpenTelemetry SDK and no zod when it has answered", async () => {
  const loaded = await loadedBy([]);
  expect(loaded).toContain(entry);
  expect(loaded.flatMap(sourcesOf).filter((source) => heavy.test(source))).toEqual([]);
});

test("telemetry and the MCP SDK have chunks of their own", () => {
  const chunks = readdirSync(join(user.root, "dist/chunks")).filter((name) => name.endsWith(".mjs"));
  const holding = (name: string): readonly string[] =>
    chunks.filter((chunk) => sourcesOf(join(user.root, "dist/chunks", chunk)).some((source) => source.includes(name)));
  const [mcp, telemetry] = [holding("@modelcontextprotocol/server"), holding("@opentelemetry/otlp-exporter-base")];
  expect(mcp.length).toBeGreaterThan(0);
  expect(telemetry.length).toBeGreaterThan(0);
  expect(mcp.filter((chunk) => telemetry.includes(chunk))).toEqual([]);
});
