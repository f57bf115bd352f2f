import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stdoutGuardBanner } from "../../../runtime/base/process/stdout-guard.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenon-printing-"));
  for (const condition of ["flags", "always"] as const) {
    await build({
      entryPoints: ["main", "later"].map((name) => fileURLToPath(new URL(`printing/${name}.ts`, import.meta.url))),
      outdir: join(folder, condition),
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      banner: { js: stdoutGuardBanner(condition) },
    });
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(
  condition: "flags" | "always",
  args: readonly string[],
  env: Record<string, string> = {},
  entry = "main.mjs",
): Promise<{ out: string; err: string; code: unknown }> {
  const main = join(folder, condition, entry);
  const child = spawn(process.execPath, [main, ...args], { stdio: "pipe", env: { ...process.env, ...env } });
  const exit = new Promise((resolve) => child.on("exit", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { out, err, code };
}

describe.each([
  ["flags", ["--with-mcp-stdio"]],
  ["flags", ["--test-file=request.json"]],
  ["flags", ["--test-file", "request.json"]],
  ["flags", ["--print-service-description"]],
  ["flags", ["--print-tool-description"]],
  ["always", []],
] as const)("guard %s, arguments %j", (condition, args) => {
  test("everything that is printed goes to standard error, the data alone to standard output", async () => {
    const { out, err, code } = await run(condition, args);
    expect(out.split("\n")).toHaveLength(2);
    const { data, ways } = JSON.parse(out) as { data: string; ways: string[] };
    expect({ code, data }).toEqual({ code: 0, data: "early" });
    for (const way of [...ways, "shared-chunk", "lazy-chunk"]) expect(err).toContain(`[${way}]`);
    expect(err).toContain("[worker] console.log");
    expect(err).toContain("[worker] fs.writeSync");
    expect(err).toContain("[child that reads stdin] 0");
  });
});

test("without a flag the guard leaves standard output alone", async () => {
  const { out, err, code } = await run("flags", ["--print-service-descriptions"], { PRINT_ONLY: "fs.writeSync" });
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toMatch(/^\[shared-chunk\] console\.log\n\[lazy-chunk\] early\n\[fs\.writeSync\]\n\{"data":"early"/);
});

test("a child process with the environment of a guarded one prints to its own standard output", async () => {
  const { out } = await run("flags", [], { PRINT_ONLY: "console.log", TENON_STDOUT_GUARD: "1" });
  expect(out).toContain("[console.log]\n");
});

test.each([
  "processes by import",
  "processes by require",
  "processes by getBuiltinModule",
  "processes by another module",
])("what a service loads while it runs prints to standard error: %s", async (way) => {
  expect(await run("flags", [way, "--with-mcp-stdio"], {}, "later.mjs")).toEqual({
    out: "",
    err: `[${way}]\n`,
    code: 0,
  });
});

test("the guard loads none of the modules that it patches", async () => {
  expect(await run("flags", ["nothing", "--with-mcp-stdio"], {}, "later.mjs")).toEqual({ out: "", err: "[]", code: 0 });
});
