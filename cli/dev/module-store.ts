import { existsSync, readFileSync } from "node:fs";
import { type DevPlugin, startsService } from "../../plugin/bundlers/dev.ts";
import type { RenderedModule } from "./render-modules.ts";

/** Imports between the project modules of a service, as absolute paths. */
type ModuleGraph = ReadonlyMap<string, { readonly imports: readonly string[] }>;

/** A module of the project in the state of its last build. */
export interface DevModule extends RenderedModule {
  /** Absolute paths of the project modules that it imports. */
  readonly imports: readonly string[];
  /** True when the module starts the service: it must then run again after every change. */
  readonly starts: boolean;
  /** Other files that affect the module. */
  readonly dependencies: ReadonlySet<string>;
  /** File name of the module in definitions of tools; undefined if it has no tools. */
  readonly source: string | undefined;
}

/** Stores the modules of a service, and renders changed modules again. */
export interface ModuleStore {
  readonly modules: ReadonlyMap<string, DevModule>;
  /** Absolute paths of all modules of the service, including those that could not be rendered. */
  wanted(): Iterable<string>;
  /** Records files that were changed, created or removed. */
  change(files: Iterable<string>): void;
  /** Discards resolved imports, since any import may now resolve to another file. */
  forget(): void;
  /** Renders all outdated modules. After a failure they stay outdated. */
  update(): Promise<void>;
}

/** Creates the store of the modules that `entry` imports. */
export function createModuleStore(
  entry: string,
  plugin: DevPlugin,
  render: (ids: readonly string[]) => Promise<readonly RenderedModule[]>,
): ModuleStore {
  const modules = new Map<string, DevModule>();
  const stale = new Set<string>();
  // Modules with errors, which are rendered at each update: the cause of an error may be in any other file.
  const mistaken = new Set<string>();

  /** Returns the modules that must be rendered first: a changed module may have new imports. */
  function due(): readonly string[] {
    const found = new Set([entry]);
    const ids: string[] = [];
    for (const id of found) {
      const module = modules.get(id);
      if (module === undefined || stale.has(id)) ids.push(id);
      else for (const imported of module.imports) found.add(imported);
    }
    return ids;
  }

  function keep(rendered: RenderedModule): void {
    const { id, targets } = rendered;
    const compiled = plugin.compiled(id);
    const view = plugin.viewFiles(id);
    modules.set(id, {
      ...rendered,
      imports: targets.flatMap((target) => (target.kind === "module" ? [target.id] : [])),
      starts: view === undefined && startsService(readFileSync(id, "utf8")),
      dependencies: new Set(view ?? compiled?.dependencies),
      source: compiled?.model.file,
    });
    stale.delete(id);
    if (compiled?.diagnostics.some(({ level }) => level === "error") === true) mistaken.add(id);
  }

  return {
    modules,
    wanted: () => new Set([...modules.keys(), ...stale, ...due()]),
    change(files) {
      for (const file of files) {
        const gone = !existsSync(file);
        for (const [id, module] of modules) {
          if (id === file || module.dependencies.has(file) || (gone && module.imports.includes(file))) stale.add(id);
        }
      }
    },
    forget() {
      for (const id of modules.keys()) stale.add(id);
    },
    async update() {
      for (const id of mistaken) stale.add(id);
      mistaken.clear();
      for (let ids = due(); ids.length > 0; ids = due()) {
        for (const rendered of await render(ids)) keep(rendered);
      }
      const reached = reachedFrom(entry, modules);
      for (const id of modules.keys()) if (!reached.has(id)) modules.delete(id);
    },
  };
}

/** Returns the entry and all modules that it imports directly or indirectly. */
function reachedFrom(entry: string, graph: ModuleGraph): ReadonlySet<string> {
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
