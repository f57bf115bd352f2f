import { globSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ts } from "ts-morph";

/** Source files of the service that is being adopted, with the TypeScript program that contains them. */
export interface ForeignFiles {
  readonly program: ts.Program;
  readonly files: readonly ts.SourceFile[];
}

const skipped = /(?:^|\/)(?:node_modules|dist|build|out|coverage|\.[^/.][^/]*|__tests__|__mocks__)(?:\/|$)/;
const notSources = /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]sx?$/;

/**
 * Opens the sources in a folder, or a single file. No code is executed, and packages are not read; names are resolved
 * only through relative imports and the paths of the nearest tsconfig.json.
 *
 * @param path Absolute
 */
export function openForeignFiles(path: string): ForeignFiles {
  const isFolder = statSync(path).isDirectory();
  const names = isFolder ? sourcesIn(path) : [path];
  const options = optionsFor(isFolder ? path : dirname(path));
  const host = ts.createCompilerHost(options, true);
  const cache = ts.createModuleResolutionCache(path, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const { resolvedModule } = ts.resolveModuleName(text, containing, options, host, cache);
      // Packages are not resolved, since reading them takes time. Packages of the same workspace are resolved: they are
      // links to folders outside of `node_modules`.
      const isPackage = resolvedModule?.resolvedFileName.includes("/node_modules/") ?? true;
      return { resolvedModule: isPackage ? undefined : resolvedModule };
    });
  const program = ts.createProgram({ rootNames: [...names], options, host });
  const wanted = new Set(names.map((name) => name.replaceAll("\\", "/")));
  return { program, files: program.getSourceFiles().filter(({ fileName }) => wanted.has(fileName)) };
}

function sourcesIn(folder: string): readonly string[] {
  return globSync("**/*.{ts,mts,cts,js,mjs}", { cwd: folder, exclude: (name) => skipped.test(name) })
    .filter((name) => !notSources.test(name) && !skipped.test(name.replaceAll("\\", "/")))
    .toSorted()
    .map((name) => join(folder, name));
}

function optionsFor(folder: string): ts.CompilerOptions {
  const path = ts.findConfigFile(folder, ts.sys.fileExists);
  const own: ts.CompilerOptions = path === undefined ? {} : readPaths(path);
  return {
    ...own,
    allowJs: true,
    noLib: true,
    types: [],
    noEmit: true,
    jsx: ts.JsxEmit.Preserve,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  };
}

function readPaths(path: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path, ts.sys.readFile) as { readonly config?: object };
  if (config === undefined) return {};
  const host = { ...ts.sys, readDirectory: () => [] };
  const { options } = ts.parseJsonConfigFileContent(config, host, dirname(path));
  const { paths, baseUrl, pathsBasePath } = options as ts.CompilerOptions & { readonly pathsBasePath?: string };
  if (paths === undefined) return {};
  return { paths, ...(baseUrl !== undefined && { baseUrl }), pathsBasePath: pathsBasePath ?? resolve(dirname(path)) };
}
