import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The part of a package.json that names the package's dependencies, and shows whether it is native. */
export interface PackageJson {
  readonly name?: string;
  readonly main?: string;
  readonly gypfile?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** `@scope/name/file.js` is a file of `@scope/name`; undefined for anything but a package. */
export function packageNameOf(specifier: string): string | undefined {
  return /^(?:@[^/\\]+\/[^/\\:]+|[^@./\\][^/\\:]*)(?=\/|$)/.exec(specifier)?.[0];
}

/** Real path of the folder in which a package is installed for the files of another folder. */
export function installedPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
    if (dirname(at) === at) return undefined;
  }
}

/** The parsed package.json of a folder; empty if there is none, or if it is not JSON. */
export function readPackage(folder: string): PackageJson {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
  } catch {
    return {};
  }
}

/** The folder of the package inside a node_modules that a file belongs to. */
export function packageOfFile(file: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
}

/** Packages that find or build a `.node` file for the package that depends on them. */
const loaders = [
  "bindings",
  "node-gyp-build",
  "node-gyp-build-optional-packages",
  "@mapbox/node-pre-gyp",
  "pkg-prebuilds",
];
/** Folders in which packages keep their `.node` files, including the package's root. */
const places = ["", "build/Release", "prebuilds", "lib/binding", "binding", "bin", "dist", "native"];

/** True when a package loads native code: its own `.node` file, or that of a package for this platform. */
export function isNative(folder: string): boolean {
  const json = readPackage(folder);
  if (json.gypfile === true || existsSync(join(folder, "binding.gyp"))) return true;
  if (loaders.some((name) => json.dependencies?.[name] !== undefined)) return true;
  if (places.some((place) => listFolder(join(folder, place)).some((name) => name.endsWith(".node")))) return true;
  return Object.keys(json.optionalDependencies ?? {}).some((name) => {
    const optional = installedPackage(name, folder);
    return optional !== undefined && isBinary(optional);
  });
}

/** True when a package consists only of a `.node` file for one platform. */
function isBinary(folder: string): boolean {
  const found = [...listFolder(folder), ...listFolder(join(folder, "lib"))];
  return found.some((name) => name.endsWith(".node"));
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A package and all its installed run-time dependencies: real folders by name, each once. */
export function withDependencies(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (at: string): void => {
    const { name = "", dependencies, optionalDependencies, peerDependencies } = readPackage(at);
    if (name === "" || [...found.values()].includes(at)) return;
    found.set(found.has(name) ? `${name} (${at})` : name, at);
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const installed = installedPackage(needed, at);
      if (installed !== undefined) visit(installed);
    }
  };
  visit(folder);
  return found;
}

/** True when another package is an optional dependency of a package, according to its package.json. */
export function isOptionalFor(folder: string, name: string): boolean {
  const { optionalDependencies = {}, peerDependenciesMeta = {} } = readPackage(folder);
  return name in optionalDependencies || peerDependenciesMeta[name]?.optional === true;
}
