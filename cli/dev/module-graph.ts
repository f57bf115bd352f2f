/** Imports between the project modules of a service, as absolute paths. */
export type ModuleGraph = ReadonlyMap<string, { readonly imports: readonly string[] }>;

/** Returns the entry and all modules that it imports directly or indirectly. */
export function reachedFrom(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found) for (const next of graph.get(id)?.imports ?? []) found.add(next);
  return found;
}

/** The given modules and all modules that import them, directly or through others. */
export function withImporters(changed: Iterable<string>, graph: ModuleGraph): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [id, { imports }] of graph) {
    for (const imported of imports) {
      const known = importers.get(imported);
      if (known === undefined) importers.set(imported, [id]);
      else known.push(id);
    }
  }
  const found = new Set(changed);
  for (const id of found) for (const importer of importers.get(id) ?? []) found.add(importer);
  return found;
}
