import { relative, resolve } from "node:path";
import type { CompiledModule, CompiledTool } from "../compiled-module.ts";
import type { ModuleModel } from "../model/module.ts";

/** A compiled module as JSON: paths relative to the project, nothing twice. */
export interface PackedModule extends Pick<CompiledModule, "insertions" | "diagnostics"> {
  readonly file: string;
  readonly dependencies: readonly string[];
  readonly model: ModuleModel;
  readonly tools: readonly Pick<CompiledTool, "definition" | "code">[];
}

/** A module as the cache keeps it. */
export function packModule(module: CompiledModule, root: string): PackedModule {
  const { file, dependencies, model, tools, insertions, diagnostics } = module;
  return {
    file: relative(root, file),
    dependencies: dependencies.map((one) => relative(root, one)),
    model,
    // The model of each tool is in that of the module.
    tools: tools.map(({ definition, code }) => ({ definition, code })),
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
    tools: packed.tools.flatMap((tool, index) => {
      const model = packed.model.tools[index];
      return model === undefined ? [] : [{ model, ...tool }];
    }),
    diagnostics: packed.diagnostics,
    dependencies: packed.dependencies.map((one) => resolve(root, one)),
  };
}
