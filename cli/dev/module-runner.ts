import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isModuleFile, type ModuleCode, type ModuleParameters, type Namespace } from "./module-code.ts";

/**
 * Loads the modules of a service as functions. Node never frees an ES module, so each save would leave the replaced
 * ones in memory; a function is freed when it is no longer in use.
 */
export interface ModuleRunner {
  /** Evaluates a file of the output folder and all its imports, each once, and returns the file's exports. */
  run(file: string): Promise<Namespace>;
  /** Forgets files that no later build imports. Code of these files that is still in use continues to run. */
  drop(files: readonly string[]): void;
}

/**
 * ES module of the output folder whose `import` and `import.meta` are used for imports of packages and Node's modules.
 */
interface Origin {
  readonly meta: ImportMeta;
  readonly load: (specifier: string, options?: ImportCallOptions) => Promise<Namespace>;
}

/** File of the origin module. */
export const originFile = "origin.mjs";
/** Text of the origin module's file. */
export const originText = "export const meta = import.meta;\nexport const load = (name, how) => import(name, how);\n";

/** The ES module that runs a given file: worker threads start with it. */
export function starterOf(file: string): string {
  return file.replace(/[^.]+$/, "mjs");
}

/** Text of a starter module. */
export function starterText(file: string): string {
  return `import { createModuleRunner } from ${JSON.stringify(import.meta.url)};
await createModuleRunner(import.meta.dirname).run(${JSON.stringify(file)});
`;
}

/** A chain of imports that wait for one another; each chain evaluates one module at a time. */
interface Walk {
  waitsFor: Walk | undefined;
}

interface Loaded {
  readonly exports: Namespace;
  /** The chain of imports that evaluates the module. */
  readonly walk: Walk;
  evaluation: Promise<void>;
  isOver: boolean;
}

/** Creates the runner of an output folder. */
export function createModuleRunner(outdir: string): ModuleRunner {
  // The real path, since Node uses it for the files that it loads.
  const folder = realpathSync(outdir);
  const origin = createRequire(join(folder, originFile))(`./${originFile}`) as Origin;
  const current = new Map<string, Loaded>();
  const dropped = new Map<string, WeakRef<Loaded> | undefined>();

  function start(file: string, walk: Walk): Loaded {
    const path = join(folder, file);
    const exports = Object.create(null, { [Symbol.toStringTag]: { value: "Module" } }) as Namespace;
    const meta = Object.assign(Object.create(null), origin.meta, { url: pathToFileURL(path).href, filename: path });
    const one: Loaded = { exports, walk, evaluation: Promise.resolve(), isOver: false };
    if (dropped.has(file)) dropped.set(file, new WeakRef(one));
    else current.set(file, one);
    const evaluate = async (): Promise<void> => {
      try {
        await readCode(path)(...parameters({ exports, meta, walk }));
      } finally {
        one.isOver = true;
      }
    };
    one.evaluation = evaluate();
    return one;
  }

  function parameters({
    exports,
    meta,
    walk,
  }: Pick<Loaded, "exports" | "walk"> & { meta: ImportMeta }): ModuleParameters {
    // Cache of imports, which must return the same result as long as code can still import.
    const imported = new Map<string, Loaded>();
    const importOwn = async (specifier: string, walk: Walk): Promise<Loaded> => {
      const file = specifier.slice("./".length);
      const known = imported.get(file) ?? current.get(file) ?? dropped.get(file)?.deref();
      const one = known ?? start(file, walk);
      imported.set(file, one);
      // In a cycle of imports, one module has to begin before another has finished.
      if (known !== undefined && !known.isOver && isBehind(walk, known.walk)) return known;
      if (one.walk !== walk) walk.waitsFor = one.walk;
      await one.evaluation;
      walk.waitsFor = undefined;
      return one;
    };
    return [
      exports,
      meta,
      async (specifier, { importedNames = [] } = {}) => {
        const own = isModuleFile(specifier) ? await importOwn(specifier, walk) : undefined;
        const found = own?.exports ?? (await origin.load(specifier));
        if (own?.isOver !== false) checkNames(specifier, found, importedNames);
        return found;
      },
      async (specifier, options) =>
        isModuleFile(specifier)
          ? (await importOwn(specifier, { waitsFor: undefined })).exports
          : origin.load(specifier, options),
      (from) => exportAll(exports, from),
    ];
  }

  return {
    async run(file) {
      const one = current.get(file) ?? start(file, { waitsFor: undefined });
      await one.evaluation;
      return one.exports;
    },
    drop(files) {
      for (const file of files) {
        const one = current.get(file);
        dropped.set(file, one && new WeakRef(one));
        current.delete(file);
      }
    },
  };
}

/**
 * Loads a generated file with `require` and returns the function that it exports. The file is then removed from Node's
 * module cache, which is possible because the function itself refers to all that it needs.
 */
function readCode(path: string): ModuleCode {
  // Each file gets its own `require`, since a `require` keeps a list of the modules that it has loaded.
  const require = createRequire(path);
  try {
    return require(path) as ModuleCode;
  } finally {
    Reflect.deleteProperty(require.cache, path);
  }
}

/** True when `waiting` waits for `walk`, directly or through others. */
function isBehind(walk: Walk, waiting: Walk): boolean {
  for (let at: Walk | undefined = waiting; at !== undefined; at = at.waitsFor) if (at === walk) return true;
  return false;
}

function checkNames(specifier: string, found: Namespace, names: readonly string[]): void {
  const missing = names.find((name) => !(name in found));
  if (missing !== undefined)
    throw new SyntaxError(`The requested module '${specifier}' does not provide an export named '${missing}'`);
}

function exportAll(exports: Namespace, from: Namespace): void {
  for (const name of Object.keys(from)) {
    if (name === "default" || name in exports) continue;
    Object.defineProperty(exports, name, { enumerable: true, configurable: true, get: () => from[name] });
  }
}
