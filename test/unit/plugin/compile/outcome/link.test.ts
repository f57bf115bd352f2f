import { expect, test } from "vitest";
import type { ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import type { CompiledModule } from "../../../../../plugin/compile/compiled-module.ts";
import { linkModules } from "../../../../../plugin/compile/outcome/link.ts";
import type { ServiceModel } from "../../../../../plugin/model/service.ts";
import type { ToolModel } from "../../../../../plugin/model/tool.ts";

function module(file: string, names: readonly string[], service?: string): CompiledModule {
  const position = { file, line: 3, column: 1, length: 4 };
  const tools = names.map((name) => ({ name, position }) as ToolModel);
  const serviceModel: ServiceModel | undefined = service === undefined ? undefined : { name: service, position };
  return {
    file: `/project/${file}`,
    model: { file, tools, ...(serviceModel && { service: serviceModel }) },
    insertions: [],
    tools: tools.map((model) => ({ model, definition: { name: model.name } as ToolDefinition, code: "" })),
    diagnostics: [{ code: "TN109", level: "warning", message: "Hm.", file, line: 9, column: 2 }],
    dependencies: [],
  };
}

test("sorts tools by name and findings by place, whatever came first", () => {
  const modules = [module("b.ts", ["zebra", "apple"]), module("a.ts", ["Mango"], "Fruit")];
  const linked = linkModules(modules);
  expect(linked.definitions.map(({ name }) => name)).toEqual(["Mango", "apple", "zebra"]);
  expect(linked.service?.name).toBe("Fruit");
  expect(linked.diagnostics.map(({ file }) => file)).toEqual(["a.ts", "b.ts"]);
  expect(linkModules(modules.toReversed())).toEqual(linked);
});

test("a name used twice and a second service are errors at the later place", () => {
  const { diagnostics } = linkModules([module("b.ts", ["f"], "Two"), module("a.ts", ["f"], "One")]);
  expect(diagnostics.filter(({ level }) => level === "error")).toEqual([
    {
      code: "TN112",
      level: "error",
      message: "The service has two tools with the name `f`; the other one is at a.ts:3:1.",
      fix: "rename one function, or give one of them another name with `@name`",
      related: [{ message: "the other tool", file: "a.ts", line: 3, column: 1, length: 4 }],
      file: "b.ts",
      line: 3,
      column: 1,
      length: 4,
    },
    {
      code: "TN406",
      level: "error",
      message: "The build holds a second `Service`; the first one is at a.ts:3:1.",
      fix: "build each service on its own, with its own entry",
      related: [{ message: "the first service", file: "a.ts", line: 3, column: 1, length: 4 }],
      file: "b.ts",
      line: 3,
      column: 1,
      length: 4,
    },
  ]);
});
