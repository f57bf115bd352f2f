import { dirname } from "node:path";
import { ts } from "ts-morph";

/**
 * Size of a program. `lean`: only the tools' imports, with small declarations in place of the platform's libraries;
 * `full`: with these libraries; `whole`: with every file of the tsconfig.
 */
export type Level = "lean" | "full" | "whole";

interface CompilerConfig {
  readonly options: ts.CompilerOptions;
  /** Files that the tsconfig adds at this level. */
  readonly files: readonly string[];
  readonly references: readonly ts.ProjectReference[];
}

export interface ConfigSource {
  /**
   * Absolute paths of the tsconfig in use and of all that it extends. A change in any of these can affect every
   * reading.
   */
  readonly files: readonly string[];
  /** Paths of possible tsconfigs nearer to the tools, which would take precedence. */
  readonly missing: readonly string[];
  /** A mistake in the tsconfig itself. */
  readonly problem?: { readonly file: string; readonly message: string };
  at(level: Level): CompilerConfig;
}

/**
 * Opens the nearest tsconfig above `sample`, else above the root. For a solution file, opens the referenced project
 * that contains `sample`.
 */
export function openConfig(root: string, given: string | undefined, sample: string | undefined): ConfigSource {
  const path = given ?? ts.findConfigFile(sample === undefined ? root : dirname(sample), ts.sys.fileExists);
  const seen = new Set<string>();
  const missing = given === undefined ? configsBelow(path, sample === undefined ? root : dirname(sample)) : [];
  if (path === undefined) return { files: [], missing, at: (level) => withLevel(defaults, [], [], level) };
  const read = ts.readConfigFile(path, ts.sys.readFile);
  if (read.config === undefined || read.error !== undefined) {
    const message = !ts.sys.fileExists(path)
      ? "it does not exist."
      : ts.flattenDiagnosticMessageText(read.error?.messageText ?? "it cannot be read.", " ");
    return {
      files: [path],
      missing,
      problem: { file: path, message },
      at: (level) => withLevel(defaults, [], [], level),
    };
  }
  const chosen = chooseProject(path, sample, seen);
  const shallow = parse(chosen, seen, false);
  return {
    files: [...seen],
    missing,
    at(level) {
      const parsed = level === "lean" ? shallow : parse(chosen, seen, true);
      const files = parsed.fileNames.filter((file) => level === "whole" || /\.d\.[cm]?ts$/.test(file));
      return withLevel(parsed.options, level === "lean" ? [] : files, parsed.projectReferences ?? [], level);
    },
  };
}

/** Possible paths of a tsconfig between a folder and the tsconfig found above it. */
function configsBelow(found: string | undefined, folder: string): readonly string[] {
  const stop = found === undefined ? undefined : dirname(found);
  const paths: string[] = [];
  for (let at = folder; at !== stop; at = dirname(at)) {
    paths.push(`${at}/tsconfig.json`);
    if (dirname(at) === at) break;
  }
  return paths;
}

/** Options for a project without a tsconfig, like those that bundlers use. */
const defaults: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.Preserve,
};

/** A solution-style tsconfig has references and no files: the file belongs to one of the referenced projects. */
function chooseProject(path: string, sample: string | undefined, seen: Set<string>): string {
  const config: unknown = ts.readConfigFile(path, ts.sys.readFile).config;
  const references = (config as { references?: unknown } | undefined)?.references;
  if (sample === undefined || !Array.isArray(references) || references.length === 0) return path;
  if (parse(path, seen, true).fileNames.includes(sample)) return path;
  for (const reference of parse(path, seen, false).projectReferences ?? []) {
    const child = ts.resolveProjectReferencePath(reference);
    if (ts.sys.fileExists(child) && parse(child, new Set(), true).fileNames.includes(sample)) return child;
  }
  return path;
}

/**
 * Parses a tsconfig. Errors that users need not see are dropped: unknown options and library names of newer compilers.
 */
function parse(path: string, seen: Set<string>, listFiles: boolean): ts.ParsedCommandLine {
  const readFile = (file: string): string | undefined => {
    if (file.endsWith(".json")) seen.add(file.replaceAll("\\", "/"));
    return ts.sys.readFile(file);
  };
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
    fileExists: ts.sys.fileExists,
    readFile,
    // Files are listed only if needed, since listing a large project takes longer than reading its tools with a `lean`
    // program.
    readDirectory: listFiles ? ts.sys.readDirectory : () => [],
  };
  const { config } = ts.readConfigFile(path, readFile);
  const folder = path.replaceAll("\\", "/").replace(/\/[^/]*$/, "");
  return ts.parseJsonConfigFileContent(config, host, folder, undefined, path);
}

const outputOptions = [
  "outDir",
  "outFile",
  "rootDir",
  "declarationDir",
  "composite",
  "incremental",
  "tsBuildInfoFile",
  "noLib",
  "isolatedDeclarations",
];

/**
 * Sets the options for a level: strict types, which reading needs whatever the project's own setting, and no options
 * about output.
 */
function withLevel(
  own: ts.CompilerOptions,
  files: readonly string[],
  references: readonly ts.ProjectReference[],
  level: Level,
): CompilerConfig {
  const options: ts.CompilerOptions = { ...own };
  for (const name of outputOptions) delete options[name];
  Object.assign(options, {
    noEmit: true,
    strict: true,
    strictNullChecks: true,
    strictPropertyInitialization: false,
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: false,
    skipLibCheck: true,
    checkJs: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  });
  if (level === "lean") {
    options.lib = ["lib.es2025.d.ts", "lib.esnext.disposable.d.ts"];
    options.types = [];
  } else {
    // Before TypeScript 6 every package under `@types` was visible by default.
    options.types ??= ["*"];
  }
  return { options, files, references };
}
