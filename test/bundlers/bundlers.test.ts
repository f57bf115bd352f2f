import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundlerProject, bundlerProject, type Run, runMoved } from "./bundler-project.ts";
import { bundlerNames, bundlers, type BundleRequest, type BundleResult } from "./six-bundlers.ts";

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
});
afterAll(() => project[Symbol.dispose]());

async function bundle(
  name: string,
  more: Partial<BundleRequest> & { readonly of?: BundlerProject } = {},
): Promise<BundleResult> {
  const { of = project, ...request } = more;
  const make = bundlers[name];
  if (make === undefined) throw new Error(name);
  return make({ root: of.root, outdir: of.path("out", name), plugins: of.plugins, ...request });
}

/** Runs the entry, which has the name that each bundler gives it. */
function runEntry(outdir: string, ...words: readonly string[]): Run {
  const file = ["registry.mjs", "registry.js", "service.mjs"].find((one) => existsSync(join(outdir, one)));
  return runMoved(outdir, file ?? "no entry", words);
}

interface Named {
  readonly name: string;
}

describe.each(bundlerNames)("%s", (name) => {
  let result: BundleResult;
  const registry: { [kind: string]: Run } = {};

  beforeAll(async () => {
    result = await bundle(name, { entry: "src/registry.ts", outdir: project.path("out/plain", name), sourcemap: true });
    await bundle(name, { entry: "src/registry.ts", outdir: project.path("out/minified", name), minify: true });
  });

  function run(kind: string, ...words: readonly string[]): Run {
    return runEntry(project.path("out", kind, name), ...words);
  }

  test("builds without a warning, and writes no definition, as there is no service", () => {
    expect(result).toEqual({ warnings: [] });
    expect(existsSync(project.path("service.json"))).toBe(false);
  });

  test.each(["plain", "minified"])("registers the tools of every package, alias and barrel: %s", (kind) => {
    registry[kind] = run(kind);
    expect(registry[kind]).toMatchObject({ status: 0, stderr: "" });
    const tools = JSON.parse(registry[kind].stdout) as readonly Named[];
    expect(tools.map((tool) => tool.name)).toEqual(["isPrime", "shout", "slug"]);
  });

  test("minified and plain output say the same of the tools", () => {
    expect(registry["minified"]?.stdout).toBe(registry["plain"]?.stdout);
  });

  test("the tools answer", () => {
    expect(run("minified", "slug", '{"heading":"Under the Sea"}')).toEqual({
      status: 0,
      stdout: '"under-the-sea"\n',
      stderr: "",
    });
  });

  test("an error in a tool points at its line and column", () => {
    const { status, stderr } = run("plain", "slug", '{"heading":"!"}');
    expect(status).toBe(1);
    expect(stderr).toContain('  if (words === null) throw new Error("The heading has no letters.");');
    expect(stderr).toMatch(/src\/tools\/slug\.ts:15:(?:27|29)\)/);
  });
});

test("all six register the same definitions", () => {
  const outputs = bundlerNames.map((name) => runEntry(project.path("out/plain", name)).stdout);
  expect(new Set(outputs).size).toBe(1);
  expect(outputs[0]).toContain('"source":"src/tools/is-prime.ts:');
});
