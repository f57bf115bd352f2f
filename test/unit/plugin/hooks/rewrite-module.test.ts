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
  expect(result?.map).toMatchObject({ sources: ["/src/a.ts"], sourcesContent: [code] });
});

test("makes a module once for each form: with its map, and without", async () => {
  const module = compiled({ insertions: [{ offset: 0, text: "register(f);" }] });
  const rewrite = createRewriter();
  const plain = await rewrite("f();", "a.ts", module, { sourcemap: false });
  expect(plain?.map).toBeNull();
  const mapped = await rewrite("f();", "a.ts", module, {});
  expect(mapped?.map).toMatchObject({ sources: ["a.ts"] });
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
