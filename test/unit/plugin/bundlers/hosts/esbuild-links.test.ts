import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { build, type BuildResult } from "esbuild";
import { expect, test } from "vitest";
import tenon from "../../../../../plugin/bundlers/esbuild.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

function source(name: string): string {
  return `/** Gives the name. @tool @readonly */\nexport function ${name}(): string {\n  return "${name}";\n}\n`;
}

function packageOf(name: string, more: object): string {
  return JSON.stringify({ name, version: "1.0.0", type: "module", ...more });
}

/** A workspace as pnpm links it: the service links `a` and `c`, and only `a` links `b`. */
function workspace(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder({
    "service/package.json": packageOf("service", {}),
    "service/tsconfig.json": '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true } }',
    "service/src/service.ts": `import "@acme/a"; import "@acme/c"; import { Service, startLambdaServer } from "tenon";
${source("own")}startLambdaServer(new Service({ name: "own" }));`,
    "service/node_modules/@acme/.keep": "",
    "a/package.json": packageOf("@acme/a", { exports: "./index.js" }),
    "a/index.js": 'import "@acme/b";',
    "a/node_modules/@acme/.keep": "",
    "b/package.json": packageOf("@acme/b", {}),
    "c/package.json": packageOf("@acme/c", { main: "index.js" }),
    "c/index.js": "export {};",
    ...files,
  });
  for (const name of ["a", "c"]) symlinkSync(join(root, name), join(root, "service/node_modules/@acme", name));
  symlinkSync(join(root, "b"), join(root, "a/node_modules/@acme/b"));
  return join(root, "service");
}

function bundle(absWorkingDir: string): Promise<BuildResult<{ write: false }>> {
  const plugins = [tenon({ service: false, cache: false })];
  return build({ absWorkingDir, entryPoints: ["src/service.ts"], plugins, write: false, logLevel: "silent" });
}

function textOf({ outputFiles }: BuildResult<{ write: false }>): string {
  return outputFiles.map(({ text }) => text).join("\n");
}

test("a package that only another package links leads to its sources, and one without sources is reported", async () => {
  const compiled = '/** Gives the name. @tool */\nexport function other() {\n  return "other";\n}\n';
  const root = workspace({
    "b/package.json": packageOf("@acme/b", {
      exports: { ".": { source: "./src/index.ts", default: "./dist/index.js" } },
    }),
    "b/src/index.ts": source("linked"),
    "b/dist/index.js": compiled.replaceAll("other", "linked"),
    "c/index.js": compiled,
    "c/index.d.ts": "export declare function other(): string;\n",
  });
  const result = await bundle(root);
  expect(result.warnings.map(({ id, text }) => [id, /`(\w+)`/.exec(text)?.[1]])).toEqual([["TN416", "other"]]);
  expect(textOf(result)).toContain('name: "linked"');
});

test("esbuild keeps the imports of a droppable package that only another package links", async () => {
  const root = workspace({
    "a/index.js": 'import "@acme/b";\nexport const a = 1;',
    "b/package.json": packageOf("@acme/b", { exports: "./src/index.ts", sideEffects: false }),
    "b/src/index.ts": source("linked"),
  });
  expect(textOf(await bundle(root))).toContain('name: "linked"');
});
