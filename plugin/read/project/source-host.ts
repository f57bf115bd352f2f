import { readFileSync, statSync, type Stats } from "node:fs";
import { ts } from "ts-morph";
import { createLibReader, libFolder } from "../base/lib-texts.ts";
import type { Level } from "./compiler-config.ts";
import { createModuleLookups, type Lookups, type ModuleLookups } from "./module-lookups.ts";
import { stubPath, stubText } from "./platform-stub.ts";

/** The project's files for the compiler: from disk, or with texts from the bundler. Each file is parsed once. */
export interface SourceHost {
  /** Converts a path to forward slashes, as the compiler writes paths. */
  normalise(file: string): string;
  /** Sets the text of a file. Returns true when the text differs from the parsed one. */
  override(path: string, text: string): boolean;
  /** Forgets a file. Returns true when the file was created or removed, so that imports may resolve differently. */
  forget(path: string): boolean;
  /** Forgets which files exist. */
  refresh(): void;
  /**
   * Forgets which files exist, and all parsed files, since other options may parse them differently. Texts that were
   * set stay.
   */
  reset(): void;
  compilerHost(level: Level): ts.CompilerHost;
  /** The lookups for a file's imports, at the level of the last compilation. */
  lookups(path: string): Lookups | undefined;
  /** Returns the file that the compiler has read last, which is reported after a stack overflow. */
  lastAsked(): string | undefined;
}

/** Unchanging files that several projects use, among them the compiler's own libraries. */
export interface ParsedLibraries {
  /** Absolute folders in which nothing changes while the process runs, with a slash at the end. */
  readonly folders: readonly string[];
  /** Cache of parsed files. */
  readonly files: Map<string, ts.SourceFile | undefined>;
}

/** Creates a host for the real file system; relative names belong to the folder `root`. */
export function createSourceHost(root: string, libraries?: ParsedLibraries): SourceHost {
  const texts = new Map<string, string>();
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const exists = new Map<string, boolean>();
  const folders = new Map<string, boolean>();
  const readLib = createLibReader();
  let asked: string | undefined;
  let lookups: { readonly level: Level; readonly modules: ModuleLookups } | undefined;

  const textOf = (path: string): string | undefined => {
    if (path === stubPath) return stubText;
    if (path.startsWith(`${libFolder}/`)) return readLib(path);
    return texts.get(path) ?? readSource(path);
  };
  const fileExists = (path: string): boolean => {
    if (texts.has(path) || path === stubPath) return true;
    return remember(exists, path, () => statusOf(path)?.isFile() === true);
  };

  const host: SourceHost = {
    normalise: (file) => file.replaceAll("\\", "/"),
    override(path, text) {
      if (parsed.get(path)?.text === text) return false;
      texts.set(path, text);
      exists.set(path, true);
      return parsed.delete(path);
    },
    forget(path) {
      const known = parsed.get(path) !== undefined;
      texts.delete(path);
      parsed.delete(path);
      exists.clear();
      folders.clear();
      if (known === ts.sys.fileExists(path)) return false;
      lookups = undefined;
      return true;
    },
    refresh() {
      exists.clear();
      folders.clear();
      lookups = undefined;
      for (const [path, file] of parsed) if (file === undefined) parsed.delete(path);
    },
    reset() {
      host.refresh();
      parsed.clear();
    },
    lastAsked: () => asked,
    lookups: (path) => lookups?.modules.of(path),
    compilerHost(level) {
      if (lookups?.level !== level) {
        lookups = { level, modules: createModuleLookups(root, level === "lean", () => compilerHost) };
      }
      const { resolve, cache } = lookups.modules;
      const compilerHost: ts.CompilerHost & { useSourceOfProjectReferenceRedirect(): boolean } = {
        getSourceFile(path, languageVersion) {
          asked = path;
          if (level === "lean" && path.startsWith(`${libFolder}/lib.dom`)) return emptyFile(path);
          const options = typeof languageVersion === "object" ? languageVersion : { languageVersion };
          const parse = (): ts.SourceFile | undefined => {
            const text = textOf(path);
            if (text === undefined) return undefined;
            // The compiler does not parse TSDoc: the plugin reads it from the comment texts, so parsing it here would
            // double the work.
            return ts.createSourceFile(path, text, { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone });
          };
          const { languageVersion: version, impliedNodeFormat: format } = options;
          return remember(parsed, path, () =>
            libraries !== undefined && !texts.has(path) && isUnchanging(path, libraries)
              ? remember(libraries.files, `${path} ${version} ${format}`, parse)
              : parse(),
          );
        },
        getDefaultLibFileName: (options) => `${libFolder}/${ts.getDefaultLibFileName(options)}`,
        getDefaultLibLocation: () => libFolder,
        getCurrentDirectory: () => root,
        getCanonicalFileName: ts.sys.useCaseSensitiveFileNames ? (name) => name : (name) => name.toLowerCase(),
        useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
        getNewLine: () => "\n",
        fileExists,
        readFile: textOf,
        directoryExists: (path) =>
          path === libFolder || remember(folders, path, () => statusOf(path)?.isDirectory() === true),
        getDirectories: (path) => ts.sys.getDirectories(path),
        realpath: (path) => (texts.has(path) ? path : (ts.sys.realpath?.(path) ?? path)),
        readDirectory: ts.sys.readDirectory,
        useSourceOfProjectReferenceRedirect: () => true,
        writeFile: () => undefined,
        ...(level === "lean" ? { resolveTypeReferenceDirectiveReferences: ignoreTypeDirectives } : {}),
        resolveModuleNameLiterals: resolve,
        getModuleResolutionCache: () => cache,
      };
      return compilerHost;
    },
  };
  return host;
}

/**
 * Drops directives such as `/// <reference types="node" />`: in a dependency, they must not load the types that a
 * `lean` program leaves out.
 */
function ignoreTypeDirectives<T extends ts.FileReference | string>(
  references: readonly T[],
): readonly ts.ResolvedTypeReferenceDirectiveWithFailedLookupLocations[] {
  return references.map(() => ({ resolvedTypeReferenceDirective: undefined }));
}

/** Reads a file as bundlers do: a byte-order mark stays, so that offsets agree. */
function readSource(path: string): string | undefined {
  return unlessFull(() => readFileSync(path, "utf8"));
}

function statusOf(path: string): Stats | undefined {
  return unlessFull(() => statSync(path, { throwIfNoEntry: false }));
}

/**
 * Reads a file; an unreadable file counts as missing. A stack overflow is thrown again, since it does not mean that the
 * file is unreadable.
 */
function unlessFull<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function isUnchanging(path: string, { folders }: ParsedLibraries): boolean {
  return path.startsWith(`${libFolder}/`) || folders.some((folder) => path.startsWith(folder));
}

function emptyFile(path: string): ts.SourceFile {
  return ts.createSourceFile(path, "", ts.ScriptTarget.ESNext, true);
}

function remember<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as V;
  const value = make();
  map.set(key, value);
  return value;
}
