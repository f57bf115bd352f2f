import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** Files on which a view depends. */
export interface ViewInputs {
  readonly files: readonly string[];
  /** Paths at which a new file would take precedence over one of the files. */
  readonly missing: readonly string[];
}

/** Finds the inputs of a view that contains the given files of a project. All paths are absolute. */
export function viewInputs(contained: readonly string[], root: string): ViewInputs {
  // The package.json of the project changes when other packages are installed, that of rolldown with its version.
  const paths = new Set([
    ...contained,
    join(root, "package.json"),
    createRequire(import.meta.url).resolve("rolldown/package.json"),
  ]);
  const folders = new Set(contained.map((file) => dirname(file)));
  for (const folder of folders) for (const path of pathsUpTo("package.json", folder)) paths.add(path);
  for (const file of contained.filter((one) => !isInstalled(one))) for (const path of rivals(file)) paths.add(path);
  for (const folder of folders) {
    if (isInstalled(`${folder}/`)) continue;
    const configs = pathsUpTo("tsconfig.json", folder);
    for (const path of configs) paths.add(path);
    addExtended(configs.at(-1), paths);
  }
  return { files: [...paths].filter(isFile), missing: [...paths].filter((path) => !existsSync(path)) };
}

function isInstalled(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Possible paths of a file that is searched from a folder upwards; the last one may exist. */
function pathsUpTo(name: string, folder: string): readonly string[] {
  const path = join(folder, name);
  return existsSync(path) || dirname(folder) === folder ? [path] : [path, ...pathsUpTo(name, dirname(folder))];
}

const extensions = [".tsx", ".ts", ".jsx", ".js", ".json", ".mts", ".mjs", ".cts", ".cjs"];

/** Paths to which the import of a module may resolve instead, if it names no extension, or that of compiled code. */
function rivals(file: string): readonly string[] {
  const [, stem, folder] = /^((.*)[\\/][^\\/]+)\.(?:[cm]?[jt]s|[jt]sx|json)$/s.exec(file) ?? [];
  if (stem === undefined || folder === undefined) return [];
  const stems = /[\\/]index$/.test(stem) ? [stem, folder] : [stem];
  return stems.flatMap((one) => extensions.map((extension) => `${one}${extension}`));
}

/** Adds the tsconfigs that a tsconfig extends, or to which it refers. */
function addExtended(config: string | undefined, paths: Set<string>): void {
  if (config === undefined || !isFile(config)) return;
  const folders = [dirname(config), ...(createRequire(config).resolve.paths("package") ?? [])];
  for (const [, names = ""] of readFileSync(config, "utf8").matchAll(
    /"(?:extends|path)"\s*:\s*("[^"]*"|\[[^\]]*\])/g,
  )) {
    const found = [...names.matchAll(/"([^"]*)"/g)]
      .flatMap(([, name = ""]) => [name, `${name}.json`, `${name}/tsconfig.json`])
      .flatMap((name) => folders.map((folder) => resolve(folder, name)))
      .filter((path) => isFile(path) && !paths.has(path));
    for (const path of found) {
      paths.add(path);
      addExtended(path, paths);
    }
  }
}
