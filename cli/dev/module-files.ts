import { basename, extname } from "node:path";
import { codeExtension, codeFile } from "./module-code.ts";
import { withImporters, type DevModule } from "./module-store.ts";
import type { Target, Targets } from "./targets.ts";

/** A file to write, relative to the output folder. */
export interface OutputFile {
  readonly file: string;
  readonly text: string;
}

/** Output of a build. */
export interface ModuleFiles {
  readonly files: readonly OutputFile[];
  /** File of the entry module, relative to the output folder. */
  readonly entry: string;
  /** Number of the build that wrote the file. */
  readonly generation: number;
  /**
   * Source files whose old tools are no longer valid, by the names that definitions use: the tools are registered
   * again, or removed.
   */
  readonly replaced: readonly string[];
  /** Files of earlier builds that this build no longer needs. */
  readonly dropped: readonly string[];
}

/** Input for one build of the files. */
export interface FilesRequest {
  readonly entry: string;
  readonly modules: ReadonlyMap<string, DevModule>;
  /** Files of packages by placeholder. */
  readonly packages: ReadonlyMap<string, string>;
  /** File that runs before all other files. */
  readonly banner: string;
}

interface Written {
  readonly file: string;
  readonly generation: number;
  /** State of a module: its own text and the paths of its packages, but not those of other modules. */
  readonly state: string;
  readonly source: string | undefined;
}

/**
 * Names the files of modules. Node loads a file once, so a changed module gets a new file, and so do all modules that
 * import it. An unchanged module keeps its file, and thus its state in memory.
 */
export interface FileNames {
  /** Assigns files to the modules of the next build. */
  next(request: FilesRequest): ModuleFiles;
  /** Makes the next build give new files to the modules of a build that could not be loaded. */
  retry(generation: number): void;
}

/** Creates the table of file names for one run of `tenon dev`. */
export function createFileNames(targets: Targets): FileNames {
  const written = new Map<string, Written>();
  const numbers = new Map<string, number>();
  const retried = new Set<string>();
  let generation = 0;

  const fileOf = (id: string, of: number): string => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return `${basename(id, extname(id)).replace("?", "-")}-${number}.${of}${codeExtension}`;
  };

  function changedIn(states: ReadonlyMap<string, string>, modules: FilesRequest["modules"]): ReadonlySet<string> {
    const changed = [...states].filter(([id, state]) => written.get(id)?.state !== state || retried.has(id));
    if (changed.length === 0) return new Set();
    const starting = [...modules.values()].flatMap(({ id, starts }) => (starts ? [id] : []));
    return withImporters([...changed.map(([id]) => id), ...starting], modules);
  }

  return {
    next({ entry, modules, packages, banner }) {
      const specifier = ({ kind, id, token }: Target): string =>
        `./${kind === "module" ? (written.get(id)?.file ?? "") : (packages.get(token) ?? "")}`;
      const states = new Map(
        [...modules.values()].map(({ id, code, targets: used }) => [
          id,
          [code, ...used.flatMap((one) => (one.kind === "module" ? [] : [specifier(one)]))].join("\n"),
        ]),
      );
      const changed = changedIn(states, modules);
      if (changed.size > 0) generation++;
      const gone = [...written.keys()].filter((id) => !modules.has(id));
      const replaced = new Set(
        [...changed, ...gone].flatMap((id) => [written.get(id)?.source, modules.get(id)?.source]),
      );
      const dropped = [...changed, ...gone].flatMap((id) => written.get(id)?.file ?? []);
      for (const id of gone) written.delete(id);
      for (const id of changed) {
        const [state = "", source] = [states.get(id), modules.get(id)?.source];
        written.set(id, { file: fileOf(id, generation), generation, state, source });
      }
      retried.clear();
      const files = [...changed].flatMap((id) => {
        const [module, file] = [modules.get(id), written.get(id)?.file];
        if (module === undefined || file === undefined) return [];
        const first = id === entry ? [banner] : [];
        const values = module.targets.flatMap((one) => (one.kind === "commonjs" ? [specifier(one)] : []));
        const text = codeFile(targets.replace(module.code, specifier), [...first, ...values]);
        if (module.map === "") return [{ file, text }];
        return [
          { file, text: `${text}//# sourceMappingURL=${file}.map\n` },
          { file: `${file}.map`, text: module.map },
        ];
      });
      return {
        files,
        entry: written.get(entry)?.file ?? "",
        generation,
        replaced: [...replaced].filter((source) => source !== undefined),
        dropped,
      };
    },
    retry(failed) {
      for (const [id, one] of written) if (one.generation === failed) retried.add(id);
    },
  };
}
