import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TenonOptions } from "../options.ts";
import { contentHash } from "./content-hash.ts";
import type { FileStates, RecordedInputs } from "./file-states.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { replaceFile } from "./replace-file.ts";

/** Folder of the cache, relative to the project. */
export const cacheFolder = "node_modules/.cache/tenon";

/** A result with the inputs from which it was made. */
export interface Kept<T> {
  readonly value: T;
  readonly inputs: RecordedInputs;
}

/** Results of one kind on disk, each in a file of its own. */
export interface KeptResults<T> {
  /**
   * The result of a file; undefined when there is none for this version and these options. The result's inputs may have
   * changed.
   */
  get(file: string): Kept<T> | undefined;
  /** Stores a result. If writing fails, the result is made again next time. */
  set(file: string, result: Kept<T>): void;
}

interface Stored<T> extends Kept<T> {
  readonly fingerprint: string;
}

/**
 * Opens the results of a project in a folder; with `cache: false` nothing is read or stored.
 * @param kind Name of their folder in the cache.
 * @param states Names of files in that project.
 */
export function openKeptResults<T>(
  kind: string,
  root: string,
  options: TenonOptions,
  states: Pick<FileStates, "name">,
): KeptResults<T> {
  let known: string | undefined;
  const fingerprint = (): string => (known ??= fingerprintOf(options));
  const pathOf = (file: string): string => join(root, cacheFolder, kind, `${contentHash(states.name(file))}.json`);
  return {
    get(file) {
      if (options.cache === false) return undefined;
      try {
        const { fingerprint: of, ...kept } = JSON.parse(readFileSync(pathOf(file), "utf8")) as Stored<T>;
        return of === fingerprint() ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    set(file, kept) {
      if (options.cache === false || !existsSync(root)) return;
      const stored: Stored<T> = { fingerprint: fingerprint(), ...kept };
      try {
        mkdirSync(dirname(pathOf(file)), { recursive: true });
        replaceFile(pathOf(file), JSON.stringify(stored));
      } catch {
        // Errors are ignored: without a cache, results are made again.
      }
    },
  };
}
