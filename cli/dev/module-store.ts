import { existsSync, readFileSync } from "node:fs";
import { type DevPlugin, startsService } from "../../plugin/bundlers/dev.ts";
import { reachedFrom } from "./module-graph.ts";
import type { RenderedModule } from "./render-modules.ts";

/** A module of the project as it was last built. */
export interface DevModule extends RenderedModule {
  /** Absolute paths of the project modules that it imports. */
  readonly imports: readonly string[];
  /** It starts the service, so that it has to run again whatever changed. */
  readonly starts: boolean;
  /** Other files that shape it. */
  readonly dependencies: ReadonlySet<string>;
  /** How definitions of tools name its file; undefined without tools. */
  readonly source: string | undefined;
}

/** The modules of a service, each rendered when it changed. */
export interface ModuleStore {
  readonly modules: ReadonlyMap<string, DevModule>;
  /** Absolute paths of the modules, and of those that could not be rendered. */
  wanted(): Iterable<string>;
  /** Notes files that changed, came or went. */
  change(files: Iterable<string>): void;
  /** Notes that any import may lead elsewhere now. */
  forget(): void;
  /** Renders what is due. After a failure the same is due again. */
  update(): Promise<void>;
}

/** Keeps the modules that `entry` brings in. */
export function createModuleStore(
  entry: string,
  plugin: DevPlugin,
  render: (ids: readonly string[]) => Promise<readonly RenderedModule[]>,
): ModuleStore {
  const modules = new Map<string, DevModule>();
  const stale = new Set<string>();
  // What an error is about may be mended anywhere, so that these are rendered each time.
  const mistaken = new Set<string>();

  /** What has to be rendered before it is known what else is needed: a module that changed may import other ones now. */
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
    modules.set(id, {
      ...rendered,
      imports: targets.flatMap((target) => (target.kind === "module" ? [target.id] : [])),
      starts: startsService(readFileSync(id, "utf8")),
      dependencies: new Set(compiled?.dependencies),
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
