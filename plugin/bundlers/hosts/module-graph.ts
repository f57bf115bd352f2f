/** The module graph of Rollup, Rolldown and Vite. */
export interface ModuleGraph {
  getModuleIds(): Iterable<string>;
  getModuleInfo(id: string): {
    readonly isEntry: boolean;
    readonly code?: string | null;
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/** The given modules and all their static imports. */
export function importsAtOnce(
  ids: Iterable<string>,
  { getModuleInfo }: Pick<ModuleGraph, "getModuleInfo">,
): Set<string> {
  const found = new Set(ids);
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** Finds the modules that run at the start of each entry that imports a wanted module, statically or dynamically. */
export function startOfEntriesWith(graph: ModuleGraph, isWanted: (id: string) => boolean): ReadonlySet<string> {
  const reaches = (entry: string): boolean => {
    const found = new Set([entry]);
    for (const id of found) {
      if (isWanted(id)) return true;
      const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
      for (const imported of [...importedIds, ...dynamicallyImportedIds]) found.add(imported);
    }
    return false;
  };
  const entries = [...graph.getModuleIds()].filter((id) => graph.getModuleInfo(id)?.isEntry === true);
  return importsAtOnce(entries.filter(reaches), graph);
}
