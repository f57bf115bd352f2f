import { normalize } from "node:path";
import type { GetManualChunk, OutputOptions } from "rollup";
import { isOwnFile } from "../../packages/own-module.ts";
import { importsAtOnce, type ModuleGraph } from "./module-graph.ts";

type GetModuleInfo = ModuleGraph["getModuleInfo"];
type ChunksOptions = Pick<OutputOptions, "inlineDynamicImports" | "manualChunks" | "preserveModules">;

/**
 * Puts modules that an entry shares with tenon's lazily loaded chunks into a chunk of their own. Rollup would put them
 * into the entry's chunk, and a lazily loaded chunk would wait for the entry: for ever if the entry itself waits for
 * it, as with `await startLambdaServer()` over stdio.
 */
export function withSharedChunk<T extends ChunksOptions>(options: T): T {
  const { inlineDynamicImports, manualChunks: chosen, preserveModules } = options;
  // Outputs stay unchanged if the author has configured chunks.
  if (inlineDynamicImports === true || preserveModules === true || typeof chosen === "object") return options;
  let shared: ReadonlySet<string> | undefined;
  const manualChunks: GetManualChunk = (id, api) => {
    const own = chosen?.(id, api);
    if (own !== undefined && own !== null) return own;
    shared ??= sharedModules(api.getModuleIds(), api.getModuleInfo);
    return shared.has(id) ? "runtime" : undefined;
  };
  return { ...options, manualChunks };
}

/**
 * Modules that an entry imports statically, and that are also imported by code which tenon loads lazily. Lazily loaded
 * modules that only export what these contain are among them, or Rollup puts their namespaces into the entry's chunk.
 */
export function sharedModules(ids: Iterable<string>, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const all = [...ids];
  const entries = all.filter((id) => getModuleInfo(id)?.isEntry);
  const later = all.filter(isRuntime).flatMap((id) => getModuleInfo(id)?.dynamicallyImportedIds ?? []);
  const atOnce = importsAtOnce(entries, { getModuleInfo });
  const reached = [...importsAtOnce(later, { getModuleInfo })];
  const both = new Set(reached.filter((id) => atOnce.has(id) && !entries.includes(id)));
  const onlyExports = later.filter((id) => {
    const { code, importedIds = [] } = getModuleInfo(id) ?? {};
    return importedIds.length > 0 && importedIds.every((one) => both.has(one)) && reExports.test(code ?? "");
  });
  return new Set([...both, ...onlyExports]);
}

/** Matches modules that consist of imports and exports. */
const reExports = /^(?:(?:import|export)\b[^;]*;\s*)+$/;

function isRuntime(id: string): boolean {
  return isOwnFile(normalize(id));
}
