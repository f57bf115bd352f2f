import { relative, resolve } from "node:path";
import type { CompiledModule, CompiledTool } from "../compiled-module.ts";
import type { ModuleModel } from "../model/module.ts";

/** A compiled module as JSON: paths relative to the project, nothing twice. */
export interface PackedModule extends Pick<CompiledModule, "insertions" | "diagnostics"> {
  readonly file: string;
  readonly dependencies: readonly string[];
  readonly model: ModuleModel;
  readonly tools: readonly PackedTool[];
}

interface PackedTool extends Pick<CompiledTool, "definition"> {
  /** Text of its module, or where that stands among the insertions: number, offset, length. */
  readonly code: string | readonly [number, number, number];
}

/** A module as the cache keeps it. */
export function packModule(module: CompiledModule, root: string): PackedModule {
  const { file, dependencies, model, tools, insertions, diagnostics } = module;
  return {
    file: relative(root, file),
    dependencies: dependencies.map((one) => relative(root, one)),
    model,
    // The model of each tool is in that of the module, its code mostly in what is inserted.
    tools: tools.map(({ definition, code }) => ({ definition, code: placeOf(code, insertions) ?? code })),
    insertions,
    diagnostics,
  };
}

/** The module that was packed. */
export function unpackModule(packed: PackedModule, root: string): CompiledModule {
  return {
    file: resolve(root, packed.file),
    model: packed.model,
    insertions: packed.insertions,
    tools: packed.tools.flatMap(({ definition, code }, index) => {
      const model = packed.model.tools[index];
      return model === undefined ? [] : [{ model, definition, code: codeAt(code, packed.insertions) }];
    }),
    diagnostics: packed.diagnostics,
    dependencies: packed.dependencies.map((one) => resolve(root, one)),
  };
}

function placeOf(
  code: string,
  insertions: CompiledModule["insertions"],
): readonly [number, number, number] | undefined {
  const places = insertions.map(({ text }) => text.indexOf(code));
  const index = places.findIndex((place) => place >= 0);
  return index < 0 ? undefined : [index, places[index] ?? 0, code.length];
}

function codeAt(code: PackedTool["code"], insertions: CompiledModule["insertions"]): string {
  if (typeof code === "string") return code;
  const [index, start, length] = code;
  return insertions[index]?.text.slice(start, start + length) ?? "";
}
