import { statSync } from "node:fs";
import { join } from "node:path";
import { createFileStates, type FileStates } from "./cache/file-states.ts";
import { chosenTsconfig, fingerprintOf } from "./cache/fingerprint.ts";
import { cacheFolder } from "./cache/kept-result.ts";
import { type ModuleCache, openModuleCache } from "./cache/module-cache.ts";
import type { CompiledModule } from "./compiled-module.ts";
import { createCompileQueue } from "./compile-queue.ts";
import { type Loaded, loadProject } from "./load-project.ts";
import { mayConcern } from "../packages/find-tool-files.ts";
import type { TenonOptions } from "./options.ts";
import { readBytes, readText } from "../read/base/read-text.ts";

/** Compiles the tools of one project; all files share one TypeScript program. */
export interface Compiler {
  /**
   * Compiles one file with the content `text`. Returns the previous result as long as none of its inputs has changed.
   */
  compile(file: string, text: string): Promise<CompiledModule>;
  /**
   * Begins to load the TypeScript compiler while the bundler still reads, if the cache has no valid entry for the entry
   * file.
   */
  prepare(entry: string): void;
  /** Reads the cache on another thread, in advance of the first file. */
  warm(entry: string): Promise<void>;
  /** The cache on disk; undefined before the first file, and when the options disable it. */
  cache(): ModuleCache | undefined;
  /** Forgets the result of a file. */
  invalidate(file: string): void;
  /** Sets the text that an editor shows instead of a file on disk. Undefined: the file on disk is used again. */
  edit(file: string, text: string | undefined): void;
  /** Forgets every file that changed on disk since it was read. Called before each build but the first. */
  refresh(): void;
  /**
   * Writes new cache entries to disk now. Without this call they are written a moment later: rebuilds of this process
   * use the results in memory, so the entries are not urgent.
   */
  flush(): void;
  dispose(): void;
}

interface Known {
  readonly text: string;
  readonly result: CompiledModule;
  /** Modification state of each dependency when it was read, and of paths that did not exist. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** Functions that tell the compiler which project a file belongs to. */
export interface CompilerPlace {
  /** Absolute folder of the project, to which paths are relative; called once, with the first file. */
  readonly rootFor: (file: string) => string;
  /** The file whose nearest tsconfig is used: the entry, if known; default: the first file. */
  readonly entryFor?: (file: string) => string;
}

/**
 * Creates a compiler. Files with a valid cache entry are not compiled. The TypeScript program is created for the rest,
 * from all files that arrive in one turn of the event loop.
 */
export function createCompiler(options: TenonOptions, { rootFor, entryFor = (file) => file }: CompilerPlace): Compiler {
  const known = new Map<string, Known>();
  const stamps = new Map<string, string>();
  /** Stamps of files whose text was compared with what the program has read. */
  const compared = new Map<string, string>();
  /** Time of the last refresh. A file that was changed since may have been read before the change. */
  let since = Date.now();
  let disk: Disk | undefined;
  let opened: Promise<Loaded> | undefined;
  let writing: ReturnType<typeof setTimeout> | undefined;
  const unpacked: (() => void)[] = [];
  const edited = new Map<string, string>();

  const diskFor = (file: string): Disk => (disk ??= openDisk(rootFor(file), entryFor(file), options));
  const open = (file: string): Promise<Loaded> =>
    (opened ??= loadProject(rootFor(file), entryFor(file), options).then((loaded) => {
      showEdits(loaded);
      return loaded;
    }));
  const showEdits = ({ project }: Loaded): void => edited.forEach((text, file) => project.override(file, text));
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

  /** Keeps a result. `read`: its inputs with their texts, if it was compiled now. */
  function keep(
    file: string,
    text: string,
    result: CompiledModule,
    missing: readonly string[],
    read?: ReadonlyMap<string, string | undefined>,
  ): CompiledModule {
    const stamps = new Map([
      // The text of the file itself is compared with each new one, so that its stamp need not be right.
      ...result.dependencies.map(
        (one) => [one, one === file ? stampOf(one) : stampOfRead(one, read?.get(one))] as const,
      ),
      ...missing.map((one) => [one, missingStamp] as const),
    ]);
    known.set(file, { text, result, stamps });
    return result;
  }

  /** The stamp of a file; one that never matches if the file may have been read before its last change. */
  function stampOfRead(file: string, text: string | undefined): string {
    const stamp = stampOf(file);
    const changed = Number.parseFloat(stamp);
    if (edited.has(file) || !(changed > since - coarsest)) return stamp;
    // A text that is not known cannot be compared, as that of a package.json.
    if (text === undefined) return changed > since + 1 ? "" : stamp;
    const sure = compared.get(file) ?? (readText(file) === text ? stamp : "");
    compared.set(file, sure);
    return sure;
  }

  /**
   * Forgets results that depend on changed files, and all results with errors, since the cause may have been fixed in
   * any file.
   */
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
    compared.clear();
    if (mayResolveOtherwise) void opened?.then(({ project }) => project.refresh());
  }

  /**
   * Schedules the writing of cache entries for a time when nobody waits for compiled files: then the bundler is busy,
   * and this process is idle.
   */
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
      // Only files on disk are cached. A text that cannot be represented in UTF-8 is not the content of a file.
      const isCached = modules !== undefined && edited.size === 0 && text.isWellFormed();
      const bytes = isCached ? Buffer.from(text) : undefined;
      const cached = bytes && modules?.get(file, bytes);
      if (cached !== undefined) return keep(file, text, cached.module, cached.missing);
      const { result, inputs } = await queue.add(file, text);
      const recorded = inputs && states.record(inputs);
      if (recorded !== undefined && bytes !== undefined && inputs?.complete === true) {
        unpacked.push(() => modules?.set(result, bytes, recorded));
        flushSoon();
      }
      return keep(file, text, result, recorded?.missing.map(states.path) ?? [], inputs?.files);
    },
    cache,
    flush,
    warm: async (entry) => diskFor(entry).modules?.warm(),
    prepare(entry) {
      const source = readBytes(entry);
      if (opened !== undefined || source === undefined || !mayConcern(entry, source.toString())) return;
      if (diskFor(entry).modules?.get(entry, source) !== undefined) return;
      // Opening is slightly delayed, so that the bundler's own work begins first. A failure is reported later, when the
      // project is needed.
      setImmediate(() => void open(entry).catch(() => undefined));
    },
    invalidate(file) {
      void opened?.then(({ project }) => project.invalidate(file));
      forget((one) => one === file || file.startsWith(`${one}/`));
    },
    edit(file, text) {
      if (text === undefined) {
        if (!edited.delete(file)) return;
        void opened?.then(({ project }) => project.invalidate(file));
      } else {
        edited.set(file, text);
        void opened?.then(({ project }) => project.override(file, text));
      }
      for (const [one, { result, stamps: watched }] of known) {
        if (one === file || watched.has(file) || hasErrors(result)) known.delete(one);
      }
    },
    refresh() {
      since = Date.now();
      stamps.clear();
      const changed = new Set<string>();
      for (const one of known.values()) {
        for (const [file, stamp] of one.stamps) if (stampOf(file) !== stamp) changed.add(file);
      }
      void opened?.then((loaded) => {
        changed.forEach((file) => loaded.project.invalidate(file));
        showEdits(loaded);
      });
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

interface Disk {
  readonly states: FileStates;
  readonly modules: ModuleCache | undefined;
}

function openDisk(root: string, near: string, options: TenonOptions): Disk {
  const states = createFileStates(root);
  if (options.cache === false) return { states, modules: undefined };
  const folder = join(root, cacheFolder);
  const fingerprint = fingerprintOf(options, chosenTsconfig(root, near, options));
  return { states, modules: openModuleCache({ folder, root, fingerprint, states }) };
}

function hasErrors({ diagnostics }: CompiledModule): boolean {
  return diagnostics.some(({ level }) => level === "error");
}

const missingStamp = "missing";
/** Milliseconds by which a time of modification may lie before the change: some file systems keep even seconds. */
const coarsest = 3000;

function readStamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? missingStamp : `${stats.mtimeMs} ${stats.size}`;
}
