import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CompiledModule } from "../compiled-module.ts";
import { contentHash } from "./content-hash.ts";
import { type EntryParts, readEntryFile, writeEntryFile } from "./entry-file.ts";
import type { FileStates, RecordedInputs } from "./file-states.ts";
import { packModule, type PackedBody, type PackedHead, unpackModule } from "./pack-module.ts";

/** Compiled modules on disk, each valid as long as nothing that it was made from changed. */
export interface ModuleCache {
  /** What a file with this text gave, when its inputs are as they were. */
  get(file: string, text: string): CachedModule | undefined;
  /** Keeps what a file gave. Results with errors are not kept: what they miss may appear anywhere. */
  set(module: CompiledModule, text: string, inputs: RecordedInputs): void;
  /** What these modules gave together the last time; undefined when one of them is another one, or not kept. */
  getOutcome(modules: readonly CompiledModule[]): KeptOutcome | undefined;
  /** Keeps what modules gave together. */
  setOutcome(modules: readonly CompiledModule[], outcome: KeptOutcome): void;
}

/** What a build without errors gave, beside its modules. */
export interface KeptOutcome {
  /** Absent where no module constructs a `Service`. */
  readonly service?: {
    /** Folder of its package, relative to the project. */
    readonly root: string;
    /** Hash of what its definition takes from there. */
    readonly place: string;
    /** Hash of its definition. */
    readonly text: string;
  };
}

export interface CachedModule {
  readonly module: CompiledModule;
  /** Absolute paths that must not appear. */
  readonly missing: readonly string[];
}

export interface CachePlace {
  /** Absolute folder of the entries. */
  readonly folder: string;
  /** Absolute folder that the entries' paths are relative to, so that a moved project keeps its cache. */
  readonly root: string;
  /** Versions and options; entries of another one are never seen. */
  readonly fingerprint: string;
  readonly states: FileStates;
  /** When entries are written; default: at once. */
  readonly schedule?: (write: () => void) => void;
}

interface Head extends RecordedInputs, PackedHead {
  readonly text: string;
}

/** More entries than that, and the oldest go. */
const mostEntries = 5000;
/** Characters; a larger entry is not worth its place. */
const largestEntry = 2 ** 20;

/**
 * Opens a cache: one file per module and fingerprint, written beside its place and renamed into it, so that builds at the
 * same time, a killed build and a full disk leave whole entries or none. Each begins with a checksum of its content; what
 * does not fit is as good as absent.
 */
export function openModuleCache(place: CachePlace): ModuleCache {
  const { folder, root, fingerprint, states, schedule = (write) => write() } = place;
  let isWritable: boolean | undefined;
  const origins = new WeakMap<CompiledModule, string>();
  const pathOf = (name: string): string => join(folder, `${contentHash(`${fingerprint}\n${name}`)}.json`);
  const originOf = (file: string, { text, files, missing, links, ambient }: Head): string =>
    JSON.stringify([states.name(file), text, files, missing, links, ambient]);

  function write(name: string, parts: EntryParts): void {
    isWritable ??= prepare(folder);
    if (isWritable && sizeOf(parts) <= largestEntry) isWritable = writeEntryFile(pathOf(name), parts);
  }

  return {
    get(file, text) {
      const entry = readEntryFile(pathOf(states.name(file)));
      if (entry === undefined) return undefined;
      const head = JSON.parse(entry.head) as Head;
      if (head.text !== contentHash(text) || !states.match(head)) return undefined;
      const body = (): PackedBody => JSON.parse(entry.body()) as PackedBody;
      const module = unpackModule({ head, code: entry.code, body }, root);
      origins.set(module, originOf(file, head));
      return { module, missing: head.missing.map(states.path) };
    },
    set(module, text, inputs) {
      if (module.diagnostics.some(({ level }) => level === "error")) return;
      const { head: packed, code, body } = packModule(module, root);
      const head: Head = { text: contentHash(text), ...inputs, ...packed };
      origins.set(module, originOf(module.file, head));
      schedule(() => write(states.name(module.file), { head: JSON.stringify(head), code, body: JSON.stringify(body) }));
    },
    getOutcome(modules) {
      const origin = jointOrigin(modules, origins);
      if (origin === undefined) return undefined;
      const entry = readEntryFile(pathOf(jointName(modules)));
      const head = entry && (JSON.parse(entry.head) as { readonly origin: string; readonly outcome: KeptOutcome });
      return head?.origin === origin ? head?.outcome : undefined;
    },
    setOutcome(modules, outcome) {
      const origin = jointOrigin(modules, origins);
      if (origin === undefined) return;
      write(jointName(modules), { head: JSON.stringify({ origin, outcome }), code: Buffer.alloc(0), body: "" });
    },
  };

  function jointName(modules: readonly CompiledModule[]): string {
    const names = modules.map(({ file }) => states.name(file)).toSorted();
    return ["outcome", ...names].join("\n");
  }
}

/** What modules were made from; undefined when one of them is not kept. Bundlers load them in any order. */
function jointOrigin(modules: readonly CompiledModule[], origins: WeakMap<CompiledModule, string>): string | undefined {
  const all = modules.map((module) => origins.get(module));
  return all.includes(undefined) ? undefined : contentHash(all.toSorted().join("\n"));
}

function sizeOf({ head, code, body }: EntryParts): number {
  return head.length + code.length + body.length;
}

/** Makes the folder and keeps it small. False where nothing can be written: then there is no cache. */
function prepare(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    removeOldest(folder);
    return true;
  } catch {
    return false;
  }
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  const dated = (list: readonly string[]): readonly { path: string; time: number }[] =>
    list
      .map((name) => join(folder, name))
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  // What a killed build left.
  const hourAgo = Date.now() - 3_600_000;
  for (const { path, time } of dated(names.filter((name) => name.endsWith(".tmp")))) {
    if (time < hourAgo) rmSync(path, { force: true });
  }
  const entries = names.filter((name) => name.endsWith(".json"));
  if (entries.length <= mostEntries) return;
  const byAge = dated(entries).toSorted((a, b) => a.time - b.time);
  for (const { path } of byAge.slice(0, entries.length - mostEntries * 0.8)) rmSync(path, { force: true });
}
