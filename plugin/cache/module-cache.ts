import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { CompiledModule } from "../compiled-module.ts";
import { checksum, contentHash } from "./content-hash.ts";
import type { FileStates, RecordedInputs } from "./file-states.ts";
import { packModule, type PackedModule, unpackModule } from "./pack-module.ts";

/** Compiled modules on disk, each valid as long as nothing that it was made from changed. */
export interface ModuleCache {
  /** What a file with this text gave, when its inputs are as they were. */
  get(file: string, text: string): CachedModule | undefined;
  /** Keeps what a file gave. Results with errors are not kept: what they miss may appear anywhere. */
  set(module: CompiledModule, text: string, inputs: RecordedInputs): void;
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
}

interface Entry extends RecordedInputs {
  readonly text: string;
  readonly module: PackedModule;
}

/** More entries than that, and the oldest go. */
const mostEntries = 5000;
/** Characters; a larger entry is not worth its place. */
const largestEntry = 2 ** 20;

/**
 * Opens a cache: one file per module and fingerprint, written beside its place and renamed into it, so that builds at the
 * same time, a killed build and a full disk leave whole entries or none. Each begins with a hash of its content; what does
 * not fit is as good as absent.
 */
export function openModuleCache({ folder, root, fingerprint, states }: CachePlace): ModuleCache {
  let isWritable: boolean | undefined;
  const pathOf = (file: string): string => join(folder, `${contentHash(`${fingerprint}\n${states.name(file)}`)}.json`);
  return {
    get(file, text) {
      const entry = readEntry(pathOf(file));
      if (entry === undefined || entry.text !== contentHash(text) || !states.match(entry)) return undefined;
      return { module: unpackModule(entry.module, root), missing: entry.missing.map(states.path) };
    },
    set(module, text, inputs) {
      isWritable ??= prepare(folder);
      if (!isWritable || module.diagnostics.some(({ level }) => level === "error")) return;
      const entry: Entry = { text: contentHash(text), ...inputs, module: packModule(module, root) };
      const body = JSON.stringify(entry);
      if (body.length <= largestEntry) isWritable = writeEntry(pathOf(module.file), `${checksum(body)}\n${body}`);
    },
  };
}

function readEntry(path: string): Entry | undefined {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf("\n");
    const body = bytes.subarray(end + 1);
    return bytes.toString("latin1", 0, end) === checksum(body) ? (JSON.parse(body.toString()) as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function writeEntry(path: string, text: string): boolean {
  // Workers of one process may write at once as well.
  const temporary = `${path}.${process.pid}-${threadId}-${performance.now()}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
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
