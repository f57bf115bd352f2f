import { normalize } from "node:path";
import type { GetManualChunk, ModuleInfo, OutputOptions } from "rollup";
import { isOwnFile } from "../../packages/own-module.ts";

type GetModuleInfo = (id: string) => Pick<ModuleInfo, "isEntry" | "importedIds" | "dynamicallyImportedIds"> | null;
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
  const atOnce = closure(entries, getModuleInfo);
  return new Set([...closure(later, getModuleInfo)].filter((id) => atOnce.has(id) && !entries.includes(id)));
}

function isRuntime(id: string): boolean {
  return isOwnFile(normalize(id));
}

/** Modules with all that they import without waiting. */
function closure(ids: readonly string[], getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set(ids);
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
