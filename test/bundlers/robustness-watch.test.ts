import { existsSync, readdirSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BundlerProject, bundlerProject } from "./bundler-project.ts";
import { watchers } from "./watchers.ts";

let project: BundlerProject;
beforeEach(async () => {
  project = await bundlerProject();
  project.write({ "src/main.ts": 'import "./tool.js";\n', "src/tool.ts": tool, "src/model.ts": model("first") });
});
afterEach(() => project[Symbol.dispose]());

function model(value: string): string {
  return `export type Value = "${value}" | "other";\n`;
}

const tool = `import type { Value } from "./model.js";

/** @schema urn:example:schema.tool.request.1 */
export interface Request {
  /** A value. */
  value: Value;
}

/**
 * Does something.
 * @tool
 */
export function tool(request: Request): string {
  return request.value;
}
`;

/** Everything that was written so far. */
function output(): string {
  if (!existsSync(project.path("out"))) return "";
  const files = readdirSync(project.path("out"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => project.read(`out/${file}`))
    .join("\n");
}

test.each(Object.keys(watchers))("%s: types, mistakes, and files that come, move and go", async (name) => {
  const watch = watchers[name];
  if (watch === undefined) throw new Error(name);
  await using watcher = await watch(project);
  /** Waits for a build of which errors or output have a text: an edit of two files may be seen as two. */
  const until = async (expected: string, found: () => string): Promise<void> => {
    let text = "";
    while (!text.includes(expected)) text = `${await watcher.next()}\n${found()}`;
    expect(text).toContain(expected);
  };

  await until('"first"', output);
  project.write({ "src/model.ts": model("second") });
  await until('"second"', output);
  project.edit("src/tool.ts", "value: Value", "value: = Value");
  await until("src/tool.ts", () => "");
  project.edit("src/tool.ts", "value: = Value", "value: Value");
  project.write({ "src/model.ts": model("third") });
  await until('"third"', output);
  project.write({ "src/moved/model.ts": model("moved") });
  project.edit("src/tool.ts", "./model.js", "./moved/model.js");
  rmSync(project.path("src/model.ts"));
  await until('"moved"', output);
  rmSync(project.path("src/moved/model.ts"));
  project.edit("src/tool.ts", "Does something", "Does anything");
  await until("TN302", () => "");
  project.write({ "src/moved/model.ts": model("back") });
  project.edit("src/tool.ts", "Does anything", "Does everything");
  await until('"back"', output);
});

test.each(Object.keys(watchers))("%s: a tool that moves to another file is not there twice", async (name) => {
  const watch = watchers[name];
  if (watch === undefined) throw new Error(name);
  project.write({ "src/main.ts": 'import "./tool.js";\nimport "./other.js";\n', "src/other.ts": "export {};\n" });
  await using watcher = await watch(project);
  await watcher.next();
  project.write({ "src/tool.ts": "export {};\n" });
  await watcher.next();
  project.write({ "src/other.ts": tool.replace("Does something", "Does it elsewhere") });
  while (!output().includes("elsewhere")) expect(await watcher.next()).not.toContain("TN112");
});

test.each(["esbuild", "rollup", "vite"])("%s: a change of resources.json reaches the bundle", async (name) => {
  const watch = watchers[name];
  if (watch === undefined) throw new Error(name);
  const limits = (memory: string): string => JSON.stringify({ limits: { memory } });
  project.write({
    "src/main.ts":
      'import { Service, startLambdaServer } from "tenon";\nimport "./tool.js";\nawait startLambdaServer(new Service({ name: "s" }));\n',
    "resources.json": limits("123Mi"),
  });
  await using watcher = await watch(project);
  for (const memory of ["123Mi", "456Mi"]) {
    project.write({ "resources.json": limits(memory) });
    while (!output().includes(memory)) expect(await watcher.next()).toBe("");
  }
});
