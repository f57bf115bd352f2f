import { readFileSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join, resolve } from "node:path";
import { createFileStates, type FileStates } from "./cache/file-states.ts";
import { fingerprintOf } from "./cache/fingerprint.ts";
import { type ModuleCache, openModuleCache } from "./cache/module-cache.ts";
import type { CompiledModule } from "./compiled-module.ts";
import type { compileModule as CompileModule } from "./compile-module.ts";
import { createCompileQueue } from "./compile-queue.ts";
import { mayConcern } from "../packages/find-tool-files.ts";
import type { TenonOptions } from "./options.ts";
import type { SourceProject } from "../read/open-project.ts";

/** Compiles the tools of one project; all files share one TypeScript program. */
export interface Compiler {
  /** Compiles one file as it is in `text`; the last result is given again while nothing that shaped it changed. */
  compile(file: string, text: string): Promise<CompiledModule>;
  /** Begins to load the TypeScript compiler when an entry is not as the cache knows it, while the bundler still reads. */
  prepare(entry: string): void;
  /** The cache on disk; undefined before the first file, and where the options want none. */
  cache(): ModuleCache | undefined;
  /** Forgets what was known of a file. */
  invalidate(file: string): void;
  /** Forgets every file that changed on disk since it was read. Before each build but the first. */
  refresh(): void;
  /** Writes what is new to the cache on disk now. Without it that is done soon: the next rebuild reads nothing of it. */
  flush(): void;
  dispose(): void;
}

interface Known {
  readonly text: string;
  readonly result: CompiledModule;
  /** State on disk of each dependency when it was read, and of what must not appear. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** What a compiler asks its owner. */
export interface CompilerPlace {
  /** Absolute folder of the project, to which places are relative; asked once, with the first file. */
  readonly rootFor: (file: string) => string;
  /** The file whose nearest tsconfig counts: the entry, where it is known; default: the first file. */
  readonly entryFor?: (file: string) => string;
}

/**
 * Makes a compiler. What the cache on disk still answers for is not compiled; the TypeScript program is made for the rest,
 * from all files that arrive in one turn of the event loop.
 */
export function createCompiler(options: TenonOptions, { rootFor, entryFor = (file) => file }: CompilerPlace): Compiler {
  const known = new Map<string, Known>();
  const stamps = new Map<string, string>();
  let disk: Disk | undefined;
  let opened: Promise<Loaded> | undefined;
  let writing: ReturnType<typeof setTimeout> | undefined;
  const unpacked: (() => void)[] = [];

  const diskFor = (file: string): Disk => (disk ??= openDisk(rootFor(file), options));
  const open = (file: string): Promise<Loaded> => (opened ??= loadProject(rootFor(file), entryFor(file), options));
  const stampOf = (file: string): string => {
    const stamp = stamps.get(file) ?? readStamp(file);
    stamps.set(file, stamp);
    return stamp;
  };

  const queue = createCompileQueue({
    open,
    begin: ({ project }, files) => project.addRoots(files),
    compile: ({ project, compileModule }, file, text) => compileModule(project, file, text),
  });

  function keep(file: string, text: string, result: CompiledModule, missing: readonly string[]): CompiledModule {
    const watched = [...result.dependencies, ...missing];
    known.set(file, { text, result, stamps: new Map(watched.map((one) => [one, stampOf(one)])) });
    return result;
  }

  /** Forgets what depends on files that changed. What an error is about may have been mended anywhere. */
  function forget(changed: (file: string) => boolean): void {
    const gone = [...known].filter(
      ([file, one]) => changed(file) || hasErrors(one.result) || [...one.stamps.keys()].some(changed),
    );
    for (const [file] of gone) known.delete(file);
    const mayResolveOtherwise = gone.some(
      ([, one]) =>
        hasErrors(one.result) || [...one.stamps].some(([file, stamp]) => stamp === missingStamp && changed(file)),
    );
    disk?.states.refresh();
    stamps.clear();
    if (mayResolveOtherwise) void opened?.then(({ project }) => project.refresh());
  }

  /** Not while somebody waits for what is compiled: after it the bundler is busy, and this process is not. */
  function flushSoon(): void {
    writing = writing?.refresh() ?? setTimeout(flush, 100);
  }

  function flush(): void {
    clearTimeout(writing);
    writing = undefined;
    cache()?.flush();
  }

  function cache(): ModuleCache | undefined {
    for (const pack of unpacked.splice(0)) pack();
    return disk?.modules;
  }

  return {
    async compile(file, text) {
      const before = known.get(file);
      if (before?.text === text) return before.result;
      const { modules, states } = diskFor(file);
      // A text that UTF-8 cannot say is no file's.
      const bytes = modules !== undefined && text.isWellFormed() ? Buffer.from(text) : undefined;
      const cached = bytes && modules?.get(file, bytes);
      if (cached !== undefined) return keep(file, text, cached.module, cached.missing);
      const { result, inputs } = await queue.add(file, text);
      const recorded = inputs && states.record(inputs);
      if (recorded !== undefined && bytes !== undefined && inputs?.complete === true) {
        unpacked.push(() => modules?.set(result, bytes, recorded));
        flushSoon();
      }
      return keep(file, text, result, recorded?.missing.map(states.path) ?? []);
    },
    cache,
    flush,
    prepare(entry) {
      const source = readSource(entry);
      if (opened !== undefined || source === undefined || !mayConcern(entry, source.toString())) return;
      if (diskFor(entry).modules?.get(entry, source) !== undefined) return;
      // A little later, so that the bundler's own work begins first. Whoever needs the project learns of a failure.
      setImmediate(() => void open(entry).catch(() => undefined));
    },
    invalidate(file) {
      void opened?.then(({ project }) => project.invalidate(file));
      forget((one) => one === file || file.startsWith(`${one}/`));
    },
    refresh() {
      stamps.clear();
      const changed = new Set<string>();
      for (const one of known.values()) {
        for (const [file, stamp] of one.stamps) if (stampOf(file) !== stamp) changed.add(file);
      }
      void opened?.then(({ project }) => changed.forEach((file) => project.invalidate(file)));
      forget((one) => changed.has(one));
    },
    dispose() {
      flush();
      known.clear();
      void opened?.then(({ project }) => project.dispose());
      opened = undefined;
    },
  };
}

interface Loaded {
  readonly project: SourceProject;
  readonly compileModule: typeof CompileModule;
}

interface Disk {
  readonly states: FileStates;
  readonly modules: ModuleCache | undefined;
}

const cacheFolder = "node_modules/.cache/tenon";

function openDisk(root: string, options: TenonOptions): Disk {
  const states = createFileStates(root);
  if (options.cache === false) return { states, modules: undefined };
  const folder = join(root, cacheFolder);
  return { states, modules: openModuleCache({ folder, root, fingerprint: fingerprintOf(options), states }) };
}

// Loading the compiler takes longer than compiling a few tools; a build without tools never does it. Node's own cache of
// compiled code, the one that `tsc` and Vite switch on for themselves, halves the time.
async function loadProject(root: string, near: string, { tsconfig, ...options }: TenonOptions): Promise<Loaded> {
  enableCompileCache();
  const [{ openProject }, { compileModule }, { openPatternVerdicts }] = await Promise.all([
    import("../read/open-project.ts"),
    import("./compile-module.ts"),
    import("./cache/pattern-verdicts.ts"),
  ]);
  const own = tsconfig === undefined ? {} : { tsconfig: resolve(root, tsconfig) };
  const file = options.cache === false ? undefined : join(root, cacheFolder, "patterns.json");
  const patterns = openPatternVerdicts(file, (line) => void process.stderr.write(`tenon: ${line}\n`));
  return { project: openProject({ ...options, root, near, patterns, ...own }), compileModule };
}

function hasErrors({ diagnostics }: CompiledModule): boolean {
  return diagnostics.some(({ level }) => level === "error");
}

function readSource(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const missingStamp = "missing";

function readStamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? missingStamp : `${stats.mtimeMs} ${stats.size}`;
}
