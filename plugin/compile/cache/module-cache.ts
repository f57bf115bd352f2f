import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CompiledModule } from "../compiled-module.ts";
import { contentHash } from "./content-hash.ts";
import type { FileStates, RecordedInputs } from "./file-states.ts";
import { packModule, type PackedBody, type PackedHead, unpackModule } from "./pack-module.ts";
import { largestRecord, openPack } from "./pack.ts";
import type { CacheRecord } from "./record.ts";

/** Compiled modules on disk, each valid as long as none of its inputs has changed. */
export interface ModuleCache {
  /** Reads the cache on another thread; otherwise it is read by the first `get`. */
  warm(): Promise<void>;
  /** The compiled module of a file with this text in UTF-8, if its inputs are unchanged. */
  get(file: string, text: Buffer): CachedModule | undefined;
  /**
   * Stores a compiled module. Results with errors are not stored, since a missing file that causes an error may appear
   * anywhere.
   */
  set(module: CompiledModule, text: Buffer, inputs: RecordedInputs): void;
  /** The last outcome of these modules together; undefined when one of them is new or not stored. */
  getOutcome(modules: readonly CompiledModule[]): KeptOutcome | undefined;
  /** Stores the outcome of modules together. */
  setOutcome(modules: readonly CompiledModule[], outcome: KeptOutcome): void;
  /** Writes new entries to disk. */
  flush(): void;
}

/** The outcome of a build without errors, in addition to its modules. */
export interface KeptOutcome {
  /** Absent when no module constructs a `Service`. */
  readonly service?: {
    /** Folder of the service's package, relative to the project. */
    readonly root: string;
    /** Hash of the files in that folder from which the definition is made. */
    readonly place: string;
    /** Hash of the service definition. */
    readonly text: string;
  };
}

export interface CachedModule {
  readonly module: CompiledModule;
  /**
   * Absolute paths that did not exist when the module was compiled. If one of these files is created, the entry is
   * outdated.
   */
  readonly missing: readonly string[];
}

export interface CachePlace {
  /** Absolute folder of the packs. */
  readonly folder: string;
  /** Absolute folder that paths in a pack are relative to, so that a moved project keeps its cache. */
  readonly root: string;
  /** Hash of versions and options; there is a pack for each hash. */
  readonly fingerprint: string;
  readonly states: FileStates;
}

interface Head extends RecordedInputs, PackedHead {}

interface OutcomeHead {
  readonly origin: string;
  readonly outcome: KeptOutcome;
}

const nothing = Buffer.alloc(0);
const outcomePrefix = "outcome ";

/** Opens a cache with one pack for each fingerprint. An entry in another form counts as absent. */
export function openModuleCache({ folder, root, fingerprint, states }: CachePlace): ModuleCache {
  const pack = openPack({
    path: join(folder, `${fingerprint}.pack`),
    root,
    isAlive: (name) => name.startsWith(outcomePrefix) || existsSync(states.path(name)),
  });
  /** Ids of the records of modules. */
  const ids = new WeakMap<CompiledModule, string>();
  const process = randomBytes(9).toString("base64url");
  let records = 0;

  function put(record: Omit<CacheRecord, "id" | "head">, head: Head | OutcomeHead): string {
    const id = `${process}${records++}`;
    pack.put({ ...record, id, head: Buffer.from(JSON.stringify(head)) });
    return id;
  }

  return {
    warm: () => pack.warm(),
    get(file, text) {
      const record = pack.get(states.name(file));
      if (record === undefined || !record.source.equals(text)) return undefined;
      const head = JSON.parse(record.head.toString()) as Head;
      if (!states.match(head)) return undefined;
      const body = (): PackedBody => JSON.parse(record.body.toString()) as PackedBody;
      const module = unpackModule({ head, code: record.code, body }, states);
      ids.set(module, record.id);
      return { module, missing: head.missing.map(states.path) };
    },
    set(module, source, inputs) {
      if (module.diagnostics.some(({ level }) => level === "error")) return;
      // A record this large is not stored, so that its models need not be printed.
      if (module.insertions.reduce((sum, { text }) => sum + text.length, source.length) > largestRecord) return;
      const { head, code, body } = packModule(module, states);
      const parts = { name: states.name(module.file), source, code, body: Buffer.from(JSON.stringify(body)) };
      ids.set(module, put(parts, { ...inputs, ...head }));
    },
    getOutcome(modules) {
      const origin = jointOrigin(modules, ids);
      const record = origin === undefined ? undefined : pack.get(jointName(modules));
      const head = record && (JSON.parse(record.head.toString()) as OutcomeHead);
      return head?.origin === origin ? head?.outcome : undefined;
    },
    setOutcome(modules, outcome) {
      const origin = jointOrigin(modules, ids);
      if (origin === undefined) return;
      put({ name: jointName(modules), source: nothing, code: nothing, body: nothing }, { origin, outcome });
    },
    flush: () => pack.flush(),
  };

  function jointName(modules: readonly CompiledModule[]): string {
    const names = modules.map(({ file }) => states.name(file)).toSorted();
    return `${outcomePrefix}${contentHash(names.join("\n"))}`;
  }
}

/**
 * Returns a key for a set of modules, in any order, since bundlers load them in any order. Undefined when one of them
 * is not stored.
 */
function jointOrigin(modules: readonly CompiledModule[], ids: WeakMap<CompiledModule, string>): string | undefined {
  const all = modules.map((module) => ids.get(module));
  return all.includes(undefined) ? undefined : contentHash(all.toSorted().join("\n"));
}
