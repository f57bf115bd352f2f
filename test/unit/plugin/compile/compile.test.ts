import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompiler, type Compiler } from "../../../../plugin/compile/compile.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const model = "/** @schema urn:a:schema.request.1 */\nexport interface Request {\n  /** Text. */\n  text: string;\n}\n";

function tool(name: string): string {
  return `import type { Request } from "./model.js";\n/** Text. @tool */\nexport function ${name}(request: Request): string {\n  return request.text;\n}\n`;
}

function project(): {
  readonly root: string;
  readonly compiler: Compiler;
  compile(file: string): ReturnType<Compiler["compile"]>;
} {
  const root = temporaryFolder({
    "package.json": '{ "name": "a" }',
    "model.ts": model,
    "one.ts": tool("one"),
    "two.ts": tool("two"),
  });
  const compiler = createCompiler({}, { rootFor: () => root });
  return {
    root,
    compiler,
    compile: (file) => compiler.compile(join(root, file), readFileSync(join(root, file), "utf8")),
  };
}

test("gives the same result again while nothing changed", async () => {
  const { compiler, compile, root } = project();
  const first = await compile("one.ts");
  expect(first.insertions).toHaveLength(1);
  expect(first.dependencies).toContain(join(root, "model.ts"));
  compiler.refresh();
  expect(await compile("one.ts")).toBe(first);
});

test("a changed file of types changes the tools that use it, after a refresh or when it is named", async () => {
  const { compiler, compile, root } = project();
  const first = await compile("one.ts");
  const second = await compile("two.ts");
  writeFiles(root, { "model.ts": model.replace("text: string", "text: symbol") });
  utimesSync(join(root, "model.ts"), 1, 1);
  expect(await compile("one.ts")).toBe(first);
  compiler.refresh();
  const changed = await compile("one.ts");
  expect(changed.diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(["TN301 model.ts"]);
  expect(changed.insertions).toEqual([]);
  expect(await compile("two.ts")).not.toBe(second);
  writeFiles(root, { "model.ts": model });
  compiler.invalidate(join(root, "model.ts"));
  expect((await compile("one.ts")).diagnostics).toEqual([]);
});

test("a file that is saved between its reading and the result is read again at the next refresh", async () => {
  const { compiler, compile, root } = project();
  writeFiles(root, { "plain.ts": "/** Text. @tool */\nexport function plain(): number {\n  return 1;\n}\n" });
  // Both files are compiled in one batch: the types are read with the first, which does not depend on them.
  const [plain, one] = [compile("plain.ts"), compile("one.ts")];
  await plain;
  writeFiles(root, { "model.ts": model.replace("text: string", "text: symbol") });
  expect((await one).diagnostics).toEqual([]);
  compiler.refresh();
  expect((await compile("one.ts")).diagnostics.map(({ code }) => code)).toEqual(["TN301"]);
});

test("a file with a time in the future is compiled once", async () => {
  const { compiler, compile, root } = project();
  const future = Date.now() / 1000 + 3600;
  utimesSync(join(root, "model.ts"), future, future);
  const first = await compile("one.ts");
  compiler.refresh();
  expect(await compile("one.ts")).toBe(first);
});

test("the text that a bundler gives counts, not the file", async () => {
  const { compiler, root } = project();
  const { tools } = await compiler.compile(join(root, "one.ts"), tool("other"));
  expect(tools.map(({ definition }) => definition.name)).toEqual(["other"]);
});

test("files of another package join later, and after a disposal everything begins again", async () => {
  const { compiler, compile, root } = project();
  await compile("one.ts");
  writeFiles(root, {
    "packages/b/package.json": "{}",
    "packages/b/model.ts": model,
    "packages/b/three.ts": tool("three"),
  });
  const three = await compile("packages/b/three.ts");
  expect(three.tools[0]?.definition.source).toBe("packages/b/three.ts:3");
  compiler.dispose();
  expect((await compile("packages/b/three.ts")).tools).toEqual(three.tools);
});

test.each([
  [
    "a tsconfig beside each",
    (): Record<string, string> => ({ "a/tsconfig.json": mapped(), "b/tsconfig.json": mapped() }),
  ],
  [
    "a project of a solution each",
    (): Record<string, string> => ({
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./a/app.json" }, { "path": "./b/app.json" }] }',
      "a/app.json": mapped(),
      "b/app.json": mapped(),
    }),
  ],
])("two entries with %s do not share cached modules", async (_, configs) => {
  const root = temporaryFolder({
    "package.json": "{}",
    "node_modules/.keep": "",
    "shared.ts": tool("shared").replace("./model.js", "#model"),
    "a/model.ts": model,
    "b/model.ts": model.replace("text: string", "text: string;\n  /** Sum. */\n  sum: number"),
    "a/service.ts": 'import "../shared.js";',
    "b/service.ts": 'import "../shared.js";',
    ...configs(),
  });
  const fields = async (entry: string): Promise<readonly string[]> => {
    const place = { rootFor: () => root, entryFor: () => join(root, entry) };
    const compiler = createCompiler({}, place);
    const { tools } = await compiler.compile(join(root, "shared.ts"), readFileSync(join(root, "shared.ts"), "utf8"));
    compiler.dispose();
    return Object.keys(tools[0]?.definition.mcp.inputSchema["properties"] ?? {});
  };
  for (const _again of [1, 2]) {
    expect(await fields("a/service.ts")).toEqual(["text"]);
    expect(await fields("b/service.ts")).toEqual(["text", "sum"]);
  }
});

/** A tsconfig that leads `#model` to the model in its own folder. */
function mapped(): string {
  return '{ "compilerOptions": { "strict": true, "paths": { "#model": ["./model.ts"] } }, "include": ["."] }';
}
