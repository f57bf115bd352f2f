import { normalize } from "node:path";
import type { GetManualChunk, OutputOptions } from "rollup";
import { isOwnFile } from "../../packages/own-module.ts";
import { importsAtOnce, type ModuleGraph } from "./module-graph.ts";

type GetModuleInfo = ModuleGraph["getModuleInfo"];
type ChunksOptions = Pick<OutputOptions, "inlineDynamicImports" | "manualChunks" | "preserveModules">;

/**
 * Gives a chunk of its own to what an entry shares with tenon's later chunks. Rollup would put it into the chunk of the
 * entry, and a later chunk would wait for the entry: for ever while the entry itself waits, as with
 * `await startLambdaServer()` over stdio.
 */
export function withSharedChunk<T extends ChunksOptions>(options: T): T {
  const { inlineDynamicImports, manualChunks: chosen, preserveModules } = options;
  // Chunks by name are all the author's.
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

/** Modules that an entry imports at once, and that code which tenon loads later imports as well. */
export function sharedModules(ids: Iterable<string>, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const all = [...ids];
  const entries = all.filter((id) => getModuleInfo(id)?.isEntry);
  const later = all.filter(isRuntime).flatMap((id) => getModuleInfo(id)?.dynamicallyImportedIds ?? []);
  const atOnce = importsAtOnce(entries, { getModuleInfo });
  return new Set([...importsAtOnce(later, { getModuleInfo })].filter((id) => atOnce.has(id) && !entries.includes(id)));
}

function isRuntime(id: string): boolean {
  return isOwnFile(normalize(id));
}
