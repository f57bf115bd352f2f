import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { bundlerNames } from "./bundler-names.ts";

// The package runs from `dist` as JavaScript and from its sources as TypeScript.
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
/** Folder of the runtime, with a separator at its end. */
export const runtimeFolder: string = findRuntime(dirname(fileURLToPath(import.meta.url)));

/** Searches upwards for the runtime, since this file is deeper in the sources than in the bundled plugin. */
function findRuntime(folder: string): string {
  const runtime = join(folder, "runtime");
  if (existsSync(join(runtime, `internal.${extension}`))) return `${runtime}${sep}`;
  if (dirname(folder) === folder) throw new Error("The package of tenon is incomplete: it has no runtime.");
  return findRuntime(dirname(folder));
}

/** True for a file of tenon's own runtime, which a bundle contains beside the author's code. */
export function isOwnFile(file: string): boolean {
  return file.startsWith(runtimeFolder);
}

/** True for the folder of tenon's own package. */
export function isOwnPackage(folder: string): boolean {
  return runtimeFolder.startsWith(`${folder}${sep}`);
}

/** Imports that must resolve to the runtime of this plugin. */
export const ownSpecifier: RegExp = /^tenon(?:\/(?:internal(?:\/(?:auto-)?view)?|testing|view))?$/;

/** Folder of the runtime in few modules, which only the built package has. */
export const groupedFolder = "grouped";

/** Modules of the runtime that services import, without extension, by what is written in an import. */
export const ownModules: { readonly [specifier: string]: string } = {
  tenon: "index",
  "tenon/internal": "internal",
  "tenon/internal/view": "view/page",
  "tenon/internal/auto-view": "view/auto-view",
  "tenon/testing": "kits/testing/index",
  "tenon/view": "view/index",
};

/**
 * File of tenon's own runtime for an import of `tenon` or one of its parts. Generated code must find it from every
 * package, even one that does not depend on tenon, and always in the plugin's own version.
 */
export function ownModule(specifier: string): string | undefined {
  const name = Object.hasOwn(ownModules, specifier) ? ownModules[specifier] : undefined;
  return name === undefined ? undefined : join(runtimeFolder, `${name}.${extension}`);
}

/**
 * The same file in the form for bundles, where there is one: modules that every start needs are grouped, so that a
 * bundler that makes a chunk for each set of importers makes few. The runtime's sources have no such form.
 */
export function bundledModule(specifier: string): string | undefined {
  const path = ownModule(specifier);
  if (path === undefined) return undefined;
  const grouped = join(runtimeFolder, groupedFolder, path.slice(runtimeFolder.length));
  return existsSync(grouped) ? grouped : path;
}

/** Exports that services do not use; their files are resolved like those of any other package. */
const otherExports = [
  "client",
  "client/mcp",
  "client/mock",
  "client/react",
  "plugin",
  ...bundlerNames,
  "tsdoc.json",
  "package.json",
];

/**
 * Returns the resolved modules as aliases of esbuild. An alias also covers everything that begins with its name and a
 * slash, so each other export needs an alias that points to itself.
 */
export function ownAliases(): { readonly [specifier: string]: string } {
  const others = otherExports.map((name) => [`tenon/${name}`, `tenon/${name}`]);
  const own = Object.keys(ownModules).map((specifier) => [specifier, bundledModule(specifier) ?? specifier]);
  return Object.fromEntries([...others, ...own]) as { readonly [specifier: string]: string };
}
