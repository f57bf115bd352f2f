import type { ChildProcess } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reportOf, startBuild } from "./build-elsewhere.ts";
import { decodeRecord } from "../../plugin/compile/cache/record.ts";
import { type BundlerProject, bundlerProject } from "./bundler-project.ts";
import { bundlers } from "./six-bundlers.ts";

let project: BundlerProject;
beforeEach(async () => {
  project = await bundlerProject();
});
afterEach(() => project[Symbol.dispose]());

interface BuildOptions {
  readonly outdir?: string;
  readonly cache?: boolean;
}

/** Builds with a new plugin instance, as another process would. */
async function build(name: string, { outdir = "out", cache = true }: BuildOptions = {}): Promise<string> {
  const make = bundlers[name];
  if (make === undefined) throw new Error(name);
  const result = await make({
    root: project.root,
    outdir: project.path(outdir),
    entry: "src/registry.ts",
    sourcemap: true,
    tenon: { cache },
    plugins: project.plugins,
  });
  return result.failure?.text ?? result.warnings.join("\n");
}

/** All that a build wrote, by path. */
function outputOf(outdir: string): { readonly [file: string]: string } {
  const files = globSync("**/*", { cwd: project.path(outdir) }).filter((file) =>
    statSync(project.path(outdir, file)).isFile(),
  );
  return Object.fromEntries(files.toSorted().map((file) => [file, project.read(join(outdir, file))]));
}

function textOf(outdir: string): string {
  return Object.values(outputOf(outdir)).join("\n");
}

const folder = "node_modules/.cache/tenon";

function pack(): string {
  const [name = "", ...others] = readdirSync(project.path(folder)).filter((one) => one.endsWith(".pack"));
  expect(others).toEqual([]);
  return project.path(folder, name);
}

/** Entries of the cache by the module that they are for, with a mark that changes when one is written. */
function entries(): { readonly [module: string]: string } {
  const file = readFileSync(pack());
  const found: { [module: string]: string } = {};
  let record = decodeRecord(file, 0);
  for (let at = 0; record !== undefined; record = decodeRecord(file, at)) {
    if (record.source.length > 0) found[record.name] = record.id;
    at += record.bytes.length;
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const all = ["packages/tools/src/shout.ts", "src/tools/is-prime.ts", "src/tools/slug.ts"];

test.each(["esbuild", "rolldown", "webpack"])(
  "%s: cold, warm and without a cache give the same bytes",
  async (name) => {
    await build(name, { cache: false, outdir: "plain" });
    expect(existsSync(project.path(folder))).toBe(false);
    await build(name, { outdir: "cold" });
    expect(Object.keys(entries())).toEqual(all);
    const before = entries();
    await build(name, { outdir: "warm" });
    expect(entries()).toEqual(before);
    expect(Object.keys(outputOf("plain")).length).toBeGreaterThan(0);
    expect(outputOf("cold")).toEqual(outputOf("plain"));
    expect(outputOf("warm")).toEqual(outputOf("plain"));
  },
);

test("warnings are told again from the cache, and errors are not kept", async () => {
  project.edit("src/tools/slug.ts", "  /** The heading to shorten. */\n", "");
  const first = await build("esbuild");
  expect(first).toContain("TN203");
  expect(await build("esbuild")).toBe(first);
  project.edit("src/tools/slug.ts", "heading: string", "heading: symbol");
  expect(await build("esbuild")).toContain("TN301");
  expect(await build("esbuild")).toContain("TN301");
  expect(entries()).toHaveProperty("src/tools/slug.ts");
  project.edit("src/tools/slug.ts", "heading: symbol", "heading: string");
  expect(await build("esbuild")).toBe(first);
});

test("one changed tool is compiled, and of a changed type exactly the tools that reach it", async () => {
  project.write({
    "src/model.ts": "/** A length. */\nexport type Length = 'short' | 'long';\nexport { helper } from './helper.js';\n",
    "src/helper.ts": "export function helper(): number {\n  return 1;\n}\n",
  });
  project.edit("src/tools/slug.ts", "/** @schema", 'import type { Length } from "../model.js";\n/** @schema');
  project.edit(
    "src/tools/slug.ts",
    "  heading: string;",
    "  heading: string;\n  /** At most so long. */\n  length?: Length;",
  );
  const changed = async (edit: () => void): Promise<readonly string[]> => {
    const before = entries();
    edit();
    await build("esbuild");
    return Object.entries(entries()).flatMap(([file, mark]) => (before[file] === mark ? [] : [file]));
  };
  await build("esbuild");
  expect(await changed(() => project.edit("src/tools/is-prime.ts", "Tests whether", "Finds out whether"))).toEqual([
    "src/tools/is-prime.ts",
  ]);
  expect(await changed(() => project.edit("src/model.ts", "'long'", "'longer'"))).toEqual(["src/tools/slug.ts"]);
  expect(textOf("out").includes('"longer"')).toBe(true);
  expect(await changed(() => project.edit("tsconfig.json", '"es2024"', '"es2023"'))).toEqual(all);
  expect(await changed(() => project.edit("src/registry.ts", "Prints", "Shows"))).toEqual([]);
});

test("a file that appears in front of the one that was found counts", async () => {
  project.write({ "src/shape/index.ts": "export type Shape = string;\n" });
  project.edit("tsconfig.json", '"nodenext"', '"esnext", "moduleResolution": "bundler"');
  project.edit("src/tools/slug.ts", "/** @schema", 'import type { Shape } from "../shape";\n/** @schema');
  project.edit("src/tools/slug.ts", "  heading: string;", "  heading: string;\n  /** A shape. */\n  shape?: Shape;");
  await build("esbuild", { outdir: "one" });
  project.write({ "src/shape.ts": 'export type Shape = "round" | "square";\n' });
  await build("esbuild", { outdir: "two" });
  expect(textOf("one").includes('"square"')).toBe(false);
  expect(textOf("two").includes('"square"')).toBe(true);
  rmSync(project.path("src/shape.ts"));
  await build("esbuild", { outdir: "three" });
  expect(outputOf("three")).toEqual(outputOf("one"));
});

test("damaged entries change nothing but the time", async () => {
  await build("esbuild", { outdir: "good" });
  const damages = [
    (text: string) => text.slice(0, text.length / 2),
    (text: string) => text.replaceAll('"description"', '"DESCRIPTION"'),
  ];
  for (const damage of damages) {
    const before = entries();
    writeFileSync(pack(), damage(readFileSync(pack(), "latin1")), "latin1");
    await build("esbuild", { outdir: "mended" });
    expect(outputOf("mended")).toEqual(outputOf("good"));
    expect(Object.keys(entries())).toEqual(all);
    expect(entries()).not.toEqual(before);
  }
});

test("several builds at once share one cache", async () => {
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((outdir) => build("esbuild", { outdir })));
  await Promise.all(names.map((outdir) => build("esbuild", { outdir: `${outdir}-warm` })));
  for (const outdir of names) {
    expect(outputOf(outdir)).toEqual(outputOf("a"));
    expect(outputOf(`${outdir}-warm`)).toEqual(outputOf("a"));
  }
  expect(Object.keys(entries())).toEqual(all);
});

const buildElsewhere = (): ChildProcess => startBuild(project, ".", "src/registry.ts");

async function loadsCompiler(): Promise<boolean | undefined> {
  return (await reportOf(buildElsewhere()))?.compiler;
}

test("a build without changes does not load the compiler", async () => {
  expect(await loadsCompiler()).toBe(true);
  expect(await loadsCompiler()).toBe(false);
  project.edit("src/tools/slug.ts", "heading to shorten", "heading");
  expect(await loadsCompiler()).toBe(true);
});

test("a build that is killed leaves whole entries or none", async () => {
  await build("esbuild", { cache: false, outdir: "plain" });
  const child = buildElsewhere();
  // As soon as it begins to write.
  while (child.exitCode === null && !existsSync(project.path(folder)))
    await new Promise((resolve) => setImmediate(resolve));
  child.kill("SIGKILL");
  await reportOf(child);
  await build("esbuild", { outdir: "after" });
  expect(outputOf("after")).toEqual(outputOf("plain"));
});
