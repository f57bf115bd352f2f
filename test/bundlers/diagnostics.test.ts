import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { bundlerNames, bundlers, type BundleResult } from "./six-bundlers.ts";

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  project.edit(
    "src/tools/is-prime.ts",
    "  /** True when `number` has exactly two divisors. */\n  isPrime: boolean;",
    "  /** Later. */\n  when: () => void;",
  );
  project.edit("packages/tools/src/shout.ts", "/** @schema urn:example:schema.shout.request.1 */\n", "");
  project.edit("src/tools/slug.ts", "  /** The heading to shorten. */\n", "");
});
afterAll(() => project[Symbol.dispose]());

const inText = [
  "packages/tools/src/shout.ts:1:18  TN201  The request",
  "src/tools/is-prime.ts:12:9  TN301  Field `when`",
];
/** esbuild prints places by itself, and counts columns from 0. */
const inEsbuild = [
  "packages/tools/src/shout.ts:1:17:",
  "TN201: The request",
  "src/tools/is-prime.ts:12:8:",
  "TN301: Field `when`",
];

describe.each(bundlerNames)("%s", (name) => {
  let result: BundleResult;
  beforeAll(async () => {
    const make = bundlers[name];
    if (make === undefined) throw new Error(name);
    result = await make({
      root: project.root,
      outdir: project.path("out", name),
      entry: "src/registry.ts",
      // A build derives the URN that a model lacks, and warns.
      tenon: { rules: { "missing-schema": "error" } },
      plugins: project.plugins,
    });
  });

  test("fails with all problems at once, each with file, line, column, code and frame", () => {
    const text = result.failure?.text ?? "";
    for (const part of name === "esbuild" ? inEsbuild : inText) expect(text).toContain(part);
    expect(text).toContain("when: () => void;");
    expect(text).not.toContain("plugin/compile");
    expect(text).not.toMatch(/^\s+at .*plugin\//m);
  });

  test.runIf(["esbuild", "webpack", "rspack"].includes(name))("knows the places itself", () => {
    expect(result.failure?.places).toEqual([
      { file: "packages/tools/src/shout.ts", line: 1, column: 18 },
      { file: "src/tools/is-prime.ts", line: 12, column: 9 },
    ]);
  });

  test.runIf(name === "rollup")("knows the place of the first one itself", () => {
    expect(result.failure?.places).toEqual([{ file: "packages/tools/src/shout.ts", line: 1, column: 18 }]);
  });

  test("leaves no output that would start", () => {
    const entry = ["registry.mjs", "registry.js", "service.mjs"].find((file) =>
      existsSync(project.path("out", name, file)),
    );
    if (entry === undefined) return;
    const { status, stderr } = runMoved(project.path("out", name), entry);
    expect(status).toBe(1);
    expect(stderr).toContain("This build failed.");
  });

  test("writes no definition", () => {
    expect(existsSync(project.path("service.json"))).toBe(false);
  });
});

describe("a warning does not fail the build, and is told with its place", () => {
  let warned: BundlerProject;
  beforeAll(async () => {
    warned = await bundlerProject();
    warned.edit("src/tools/slug.ts", "  /** The heading to shorten. */\n", "");
  });
  afterAll(() => warned[Symbol.dispose]());

  test.each(bundlerNames)("%s", async (name) => {
    const make = bundlers[name];
    if (make === undefined) throw new Error(name);
    const { failure, warnings } = await make({
      root: warned.root,
      outdir: warned.path("out"),
      entry: "src/registry.ts",
      plugins: warned.plugins,
    });
    expect(failure).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(name === "esbuild" ? "TN203: " : "src/tools/slug.ts:5:3  TN203  warning: ");
  });
});
