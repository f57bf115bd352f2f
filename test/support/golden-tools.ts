import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModuleModel } from "../../plugin/model/module.ts";
import type { ToolModel } from "../../plugin/model/tool.ts";
import { emitTool } from "../../plugin/emit/tool-module.ts";
import { importAlias } from "../../plugin/emit/text/scope.ts";
import { runtimeNames } from "../../plugin/emit/text/runtime-names.ts";
import * as internal from "../../runtime/internal.ts";
import type { ToolDefinition, ToolFunctions } from "../../runtime/contract/contract.ts";
import type { Tool } from "../../runtime/service/tools/tool.ts";

/** A tool of the golden cases, as the plugin makes it and as the runtime serves it. */
export interface GoldenTool {
  readonly model: ToolModel;
  readonly tool: Tool;
  /** Its module, and its name there. */
  readonly source: { readonly path: string; readonly binding: string };
}

const folder = join(import.meta.dirname, "../golden");
const read: GoldenTool[] = [];

/** Every tool of `test/golden`, under names that tell its case; the author's functions return nothing. Read once. */
export function goldenTools(): readonly GoldenTool[] {
  if (read.length === 0) read.push(...readTools());
  return read;
}

function readTools(): readonly GoldenTool[] {
  const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  return cases.flatMap((name) => {
    // Result of the reader for `tool.ts`, as test/golden.test.ts holds.
    const { tools } = JSON.parse(readFileSync(join(folder, name, "model.json"), "utf8")) as ModuleModel;
    return tools
      .filter(({ kind }) => kind === undefined)
      .map((model) => ({
        ...goldenTool({ ...model, name: `${name}_${model.name}`, binding: "author" }),
        source: { path: join(folder, name, "tool.ts"), binding: model.binding },
      }));
  });
}

/** Emits a tool and loads what was emitted; the author function is a stand-in. */
export function goldenTool(model: ToolModel): Omit<GoldenTool, "source"> {
  const { code } = emitTool(model);
  const made: { definition?: ToolDefinition; functions?: ToolFunctions } = {};
  const helpers: Readonly<Record<string, unknown>> = {
    ...internal,
    defineTool: (definition: ToolDefinition, functions: ToolFunctions) =>
      Object.assign(made, { definition, functions }),
  };
  const evaluate = new Function(...runtimeNames.map(importAlias), "author", `"use strict";${code}`) as (
    ...values: unknown[]
  ) => void;
  evaluate(...runtimeNames.map((name) => helpers[name]), () => undefined);
  const { definition, functions } = made;
  if (definition === undefined || functions === undefined) throw new Error(`${model.name} registered nothing.`);
  return { model, tool: { name: model.name, definition, functions, options: {}, path: `/tool/${model.name}` } };
}
