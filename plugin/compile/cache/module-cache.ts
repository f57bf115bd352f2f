import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CompiledModule } from "../compiled-module.ts";
import { contentHash } from "./content-hash.ts";
import type { FileStates, RecordedInputs } from "./file-states.ts";
import { packModule, type PackedBody, type PackedHead, unpackModule } from "./pack-module.ts";
import { openPack } from "./pack.ts";
import type { CacheRecord } from "./record.ts";

/** Compiled modules on disk, each valid as long as nothing that it was made from changed. */
export interface ModuleCache {
  /** What a file with this text, in UTF-8, gave, when its inputs are as they were. */
  get(file: string, text: Buffer): CachedModule | undefined;
  /** Keeps what a file gave. Results with errors are not kept: what they miss may appear anywhere. */
  set(module: CompiledModule, text: Buffer, inputs: RecordedInputs): void;
  /** What these modules gave together the last time; undefined when one of them is another one, or not kept. */
  getOutcome(modules: readonly CompiledModule[]): KeptOutcome | undefined;
  /** Keeps what modules gave together. */
  setOutcome(modules: readonly CompiledModule[], outcome: KeptOutcome): void;
  /** Writes what is new to the disk. */
  flush(): void;
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
  /** Absolute folder of the packs. */
  readonly folder: string;
  /** Absolute folder that paths in a pack are relative to, so that a moved project keeps its cache. */
  readonly root: string;
  /** Versions and options; each has a pack of its own. */
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

/** Opens a cache: one pack for each fingerprint. What does not fit is as good as absent. */
export function openModuleCache({ folder, root, fingerprint, states }: CachePlace): ModuleCache {
  const pack = openPack({
    path: join(folder, `${fingerprint}.pack`),
    root,
    isAlive: (name) => name.startsWith(outcomePrefix) || existsSync(states.path(name)),
  });
  /** Ids of the records that modules came from or went into. */
  const ids = new WeakMap<CompiledModule, string>();
  const process = randomBytes(9).toString("base64url");
  let records = 0;

  function put(record: Omit<CacheRecord, "id" | "head">, head: Head | OutcomeHead): string {
    const id = `${process}${records++}`;
    pack.put({ ...record, id, head: Buffer.from(JSON.stringify(head)) });
    return id;
  }

  return {
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

/** What modules were made from; undefined when one of them is not kept. Bundlers load them in any order. */
function jointOrigin(modules: readonly CompiledModule[], ids: WeakMap<CompiledModule, string>): string | undefined {
  const all = modules.map((module) => ids.get(module));
  return all.includes(undefined) ? undefined : contentHash(all.toSorted().join("\n"));
}
