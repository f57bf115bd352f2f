import { SourceMap } from "node:module";
import { expect, test } from "vitest";
import type { CompiledModule } from "../../../../plugin/compile/compiled-module.ts";
import { createRewriter, rewriteModule } from "../../../../plugin/hooks/rewrite-module.ts";

const mark = 'globalThis[Symbol.for("tenon.entry")]??=import.meta.url;';

function compiled(more: Partial<CompiledModule> = {}): CompiledModule {
  return {
    file: "/src/a.ts",
    model: { file: "a.ts", tools: [] },
    insertions: [],
    tools: [],
    diagnostics: [],
    dependencies: [],
    ...more,
  };
}

test("adds text where it belongs, keeps the module and its map", async () => {
  const code = 'import "x";\nexport function f() {}\n';
  const module = compiled({ insertions: [{ offset: 11, text: "register(f);" }] });
  const result = await rewriteModule(code, "/src/a.ts", module, { entry: "module" });
  expect(result).toMatchObject({ code: 'import "x";register(f);\nexport function f() {}\n', moduleSideEffects: true });
  expect(result?.map).toMatchObject({
    sources: ["/src/a.ts", "/src/node_modules/tenon/generated.js"],
    sourcesContent: [code, expect.stringContaining("generates")],
  });
});

test("generated text has a source of its own in the map, and the author's code its own positions around it", async () => {
  const code = "f(1); g(2);\nh(3);";
  const error = { code: "TN301", level: "error", message: "no", file: "a.ts", line: 1, column: 2 } as const;
  const insertions = [
    { offset: 3, text: "two" },
    { offset: 5, text: ";one(1);" },
    { offset: 5, text: ";two(2);" },
    { offset: 12, text: ";three(3);" },
  ].toReversed();
  const rewritten = await rewriteModule(code, "a.ts", compiled({ insertions, diagnostics: [error] }), {});
  const lines = rewritten?.code.split("\n") ?? [];
  expect(lines.slice(0, 2)).toEqual(["f(1two);;two(2);;one(1); g(2);", ";three(3);h(3);"]);
  const map = new SourceMap({ file: "", sourceRoot: "", version: 3, ...JSON.parse(String(rewritten?.map)) });
  const at = (line: number, text: string): string => {
    const { originalSource, originalLine, originalColumn } = map.findEntry(line, lines[line]?.indexOf(text) ?? -1) as {
      readonly originalSource: string;
      readonly originalLine: number;
      readonly originalColumn: number;
    };
    return `${originalSource}:${originalLine}:${originalColumn}`;
  };
  const generated = "node_modules/tenon/generated.js:0:0";
  expect([at(0, "f("), at(0, "two"), at(0, ");;"), at(0, "one"), at(0, "g(")]).toEqual([
    "a.ts:0:0",
    generated,
    "a.ts:0:3",
    generated,
    "a.ts:0:6",
  ]);
  expect([at(1, "three"), at(1, "h("), at(2, "throw")]).toEqual([generated, "a.ts:1:0", generated]);
});

test("makes a module once for each form: with its map, and without", async () => {
  const module = compiled({ insertions: [{ offset: 0, text: "register(f);" }] });
  const rewrite = createRewriter();
  const plain = await rewrite("f();", "a.ts", module, { sourcemap: false });
  expect(plain?.map).toBeNull();
  const mapped = await rewrite("f();", "a.ts", module, {});
  expect(mapped?.map).toMatchObject({ sources: ["a.ts", "node_modules/tenon/generated.js"] });
  expect(await rewrite("f();", "a.ts", module, {})).toBe(mapped);
});

test("leaves a module alone that has nothing to add", async () => {
  expect(await rewriteModule("export {};", "a.ts", compiled(), { entry: "module" })).toBeUndefined();
});

test.each([
  ["await startLambdaServer(s);", `${mark}await startLambdaServer(s);`],
  ["#!/usr/bin/env node\nrunMcpStdio(s);", `#!/usr/bin/env node\n${mark}runMcpStdio(s);`],
])("marks the entry on its first line: %j", async (code, marked) => {
  const rewritten = await rewriteModule(code, "a.ts", compiled(), { entry: "module" });
  expect(rewritten?.code).toBe(marked);
  const versioned = await rewriteModule(code, "a.ts", compiled(), { mark: { version: "1.2.3" } });
  expect(versioned?.code).toBe(marked.replace(mark, 'globalThis[Symbol.for("tenon.version")]??="1.2.3";'));
});

test("a module with an error throws when a bundler wrote it all the same", async () => {
  const error = { code: "TN301", level: "error", message: "It's no.", file: "a.ts", line: 1, column: 2 } as const;
  const module = compiled({ diagnostics: [error] });
  const code = (await rewriteModule("f() // end", "a.ts", module, { entry: "module" }))?.code;
  expect(code?.split("\n")[0]).toBe("f() // end");
  expect(() => new Function("f", code ?? "")(() => {})).toThrow(
    "This build failed.\n\na.ts:1:2  TN301  It's no.\n  more  npx tenon explain TN301\n\n1 error",
  );
});
