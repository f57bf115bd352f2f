import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileStates } from "../../../../../plugin/compile/cache/file-states.ts";
import { openModuleCache } from "../../../../../plugin/compile/cache/module-cache.ts";
import type { CompiledModule } from "../../../../../plugin/compile/compiled-module.ts";
import type { ToolModel } from "../../../../../plugin/model/tool.ts";
import { concludeBuild, type Outcome } from "../../../../../plugin/compile/outcome/outcome.ts";
import { createPackages } from "../../../../../plugin/packages/packages.ts";
import {
  makeServiceFile,
  type ToolTexts,
  writeServiceFile,
} from "../../../../../plugin/compile/outcome/service-file.ts";
import type { ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import { stableJson } from "../../../../../runtime/contract/definition/stable-json.ts";
import { temporaryFolder, writeFiles } from "../../../../support/temporary-folder.ts";

const position = { file: "src/service.ts", line: 1, column: 1, length: 3 };

function moduleOf(root: string): CompiledModule {
  const definition: ToolDefinition = {
    name: "count",
    description: "Counts.",
    signature: "count()",
    source: "src/service.ts:1",
    annotations: {},
    result: { kind: "none" },
    mcp: { inputSchema: {} },
  };
  const tool = { name: "count", position } as ToolModel;
  const service = { name: "Numbers", position } as const;
  return {
    file: join(root, "src/service.ts"),
    model: { file: "src/service.ts", tools: [tool], service },
    tools: [{ model: tool, definition, code: "" }],
    insertions: [],
    diagnostics: [{ code: "TN203", level: "warning", message: "Hm.", ...position }],
    dependencies: [],
  };
}

/** Builds as one process after another does; says whether the models were read. */
function builder(
  root: string,
  built: CompiledModule = moduleOf(root),
): () => Outcome & { readonly readModels: boolean } {
  const inputs = { files: {}, missing: [], links: {}, ambient: {} };
  const open = (): ReturnType<typeof openModuleCache> =>
    openModuleCache({ folder: join(root, "cache"), root, fingerprint: "", states: createFileStates(root) });
  const text = Buffer.from("text");
  const first = open();
  first.set(built, text, inputs);
  first.flush();
  return () => {
    const cache = open();
    const module = cache.get(join(root, "src/service.ts"), text)?.module;
    if (module === undefined) throw new Error("It is kept.");
    let readModels = false;
    const { model, tools } = Object.getOwnPropertyDescriptors(module);
    const watched = (one: PropertyDescriptor): PropertyDescriptor => ({
      ...one,
      get() {
        readModels = true;
        return one.get?.();
      },
    });
    Object.defineProperties(module, { model: watched(model), tools: watched(tools) });
    const outcome = concludeBuild({
      modules: [module],
      entries: [],
      options: {},
      packages: createPackages(),
      texts: new WeakMap(),
      cache,
      root,
    });
    cache.flush();
    if (outcome.serviceFile !== undefined) writeServiceFile(outcome.serviceFile);
    return { ...outcome, readModels };
  };
}

test("the definition that is there is checked without the models, and made again when it is another one", () => {
  const root = temporaryFolder({ "package.json": '{ "version": "1.0.0" }' });
  const build = builder(root);
  const file = join(root, "service.json");
  const first = build();
  expect(first.readModels).toBe(true);
  const text = readFileSync(file, "utf8");
  expect(text).toContain('"Numbers"');
  expect(text).toBe(stableJson(JSON.parse(text)));
  const warm = build();
  expect(warm.readModels).toBe(false);
  expect(warm.diagnostics).toEqual(first.diagnostics);
  rmSync(file);
  build();
  expect(readFileSync(file, "utf8")).toBe(text);
  writeFiles(root, { "service.json": text.replace("Numbers", "Letters") });
  build();
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(build().readModels).toBe(false);
});

test.each([
  ["package.json", '{ "version": "2.0.0" }', '"2.0.0"'],
  ["Dockerfile", 'ENTRYPOINT ["node", "numbers.mjs"]\n', '"numbers.mjs"'],
])("a definition that was kept does not outlive another %s", (name, content, expected) => {
  const root = temporaryFolder({ "package.json": '{ "version": "1.0.0" }' });
  const build = builder(root);
  build();
  writeFiles(root, { [name]: content });
  build();
  expect(readFileSync(join(root, "service.json"), "utf8")).toContain(expected);
});

test("texts of tools that are used again give the same definition, also for another path", () => {
  const root = temporaryFolder({ "package.json": "{}" });
  const service = { file: "service.ts", name: "$& Numbers", flavour: "lambda", position } as const;
  const texts: ToolTexts = new WeakMap();
  const [tool] = moduleOf(root).tools.map(({ definition }) => ({ ...definition, description: 'Of "tools": [].\n' }));
  if (tool === undefined) throw new Error("It has a tool.");
  const other = { ...tool, name: "other" };
  for (const tools of [[tool], [other, tool], [tool, other], []]) {
    const made = makeServiceFile(service, { definitions: tools, offers: [] }, root, "service.json", texts);
    if (!("text" in made)) throw new Error(made.message);
    expect(made.text).toBe(stableJson(made.definition));
  }
});

test("resources that are wrong are told each time", () => {
  const root = temporaryFolder({ "package.json": "{}" });
  const build = builder(root);
  build();
  writeFiles(root, { "resources.json": "[]" });
  for (const _again of [1, 2]) expect(build()).toMatchObject({ failed: true, diagnostics: [{}, { code: "TN407" }] });
});

test("a finding between modules is reported by each build", () => {
  const root = temporaryFolder({ "package.json": "{}" });
  const module = moduleOf(root);
  const [tool] = module.tools;
  if (tool === undefined) throw new Error("It has a tool.");
  const named = (name: string): typeof tool => ({
    ...tool,
    model: { ...tool.model, name },
    definition: { ...tool.definition, name },
  });
  const tools = [named("count"), named("sum")];
  const start = { flavour: "batch", position, worker: { position } } as const;
  const model = { ...module.model, tools: tools.map((one) => one.model), start };
  const build = builder(root, { ...module, tools, model });
  for (const _again of [1, 2, 3]) {
    expect(build().diagnostics.map(({ code }) => code)).toEqual(["TN203", "TN415"]);
  }
});
