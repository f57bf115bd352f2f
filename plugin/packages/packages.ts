import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findToolFiles, sourceFile } from "./find-tool-files.ts";
import type { BuiltDeployment } from "../../runtime/contract/deployment-key.ts";
import { isOwnPackage } from "./own-module.ts";
import { readPackageJson } from "./read-package-json.ts";
import { deploymentOf, placeFiles } from "./service-place.ts";

/** Answers questions about the npm packages to which source files belong. */
export interface Packages {
  /** Folder of the nearest package.json above a file; undefined when there is none. */
  rootOf(file: string): string | undefined;
  /** Files of the package that may hold tools. */
  toolFiles(root: string): readonly string[];
  /** Returns the data of a service's package that its build contains, for environments without the package. */
  markOf(file: string): PackageFacts;
  /** Files beside package.json that {@link markOf} reads, if they exist. */
  inputsOfMark(file: string): readonly string[];
  /** True when package.json lets bundlers drop imports whose bindings are unused. */
  mayDropImports(root: string): boolean;
  /**
   * True when imports of a package can reach sources of a package whose unused imports bundlers drop: its own sources,
   * a linked package, one that such a package links, or a path alias of its tsconfig.
   */
  mayMeetDroppable(root: string): boolean;
  /**
   * True when importing a file registers tools, so that bundlers must not drop the import. This applies to every source
   * file of a package with tools: if a module that only re-exports were dropped, all its imports would be dropped too.
   */
  registersTools(file: string): boolean;
  /** Discards everything that was read: a package may have new tools. */
  refresh(): void;
}

/** Data of a service's package that its build contains. */
export interface PackageFacts {
  readonly version?: string;
  /** Name in the MCP registry. */
  readonly mcpName?: string;
  /** Resources and command, from `resources.json` and `Dockerfile`. */
  readonly deployment?: BuiltDeployment;
}

/** Creates a reader of package.json files and folders, each of which is read once. */
export function createPackages(): Packages {
  const roots = new Map<string, string | undefined>();
  const tools = new Map<string, readonly string[]>();
  const droppable = new Map<string, boolean>();

  function rootOfFolder(folder: string): string | undefined {
    if (roots.has(folder)) return roots.get(folder);
    const parent = dirname(folder);
    const root = existsSync(join(folder, "package.json"))
      ? folder
      : parent === folder
        ? undefined
        : rootOfFolder(parent);
    roots.set(folder, root);
    return root;
  }

  function remember<T>(cache: Map<string, T>, root: string, make: (root: string) => T): T {
    const known = cache.get(root);
    if (known !== undefined) return known;
    const made = make(root);
    cache.set(root, made);
    return made;
  }

  const packages: Packages = {
    rootOf: (file) => rootOfFolder(dirname(file)),
    markOf(file) {
      const root = packages.rootOf(file);
      if (root === undefined) return {};
      const { version, mcpName } = readPackageJson(root);
      const deployment = deploymentOf(root);
      return {
        ...(typeof version === "string" && { version }),
        ...(typeof mcpName === "string" && { mcpName }),
        ...(deployment !== undefined && { deployment }),
      };
    },
    inputsOfMark(file) {
      const root = packages.rootOf(file);
      return root === undefined ? [] : placeFiles(root).filter((path) => existsSync(path));
    },
    toolFiles: (root) => remember(tools, root, findToolFiles),
    mayDropImports: (root) => remember(droppable, root, readMayDrop),
    mayMeetDroppable: (root) =>
      packages.mayDropImports(root) ||
      renamesModules(root) ||
      linkedPackages(root).some((one) => !isOwnPackage(one) && packages.mayDropImports(one)),
    registersTools(file) {
      if (!sourceFile.test(file)) return false;
      const root = packages.rootOf(file);
      return root !== undefined && packages.mayDropImports(root) && packages.toolFiles(root).length > 0;
    },
    refresh() {
      for (const [root, files] of tools) if (files.length === 0) tools.delete(root);
      droppable.clear();
      roots.clear();
    },
  };
  return packages;
}

function readMayDrop(root: string): boolean {
  const { sideEffects } = readPackageJson(root);
  return sideEffects === false || Array.isArray(sideEffects);
}

/** True when a tsconfig, or one that it extends, may define path aliases. */
function renamesModules(root: string): boolean {
  return readdirSync(root)
    .filter((name) => /^tsconfig.*\.json$/.test(name))
    .some((name) => /"(?:paths|baseUrl|extends|references|rootDirs)"/.test(readFileSync(join(root, name), "utf8")));
}

/**
 * Finds workspace packages that a package can import: targets of links in the node_modules folders above it, and those
 * of their links, as package managers like pnpm link a package only where it is a dependency. Targets inside of a
 * node_modules do not count.
 */
function linkedPackages(root: string): readonly string[] {
  const found = new Set([root]);
  const seen = new Set<string>();
  for (const one of found) {
    for (const folder of foldersAbove(one)) {
      if (seen.has(folder)) break;
      seen.add(folder);
      for (const target of links(join(folder, "node_modules"))) {
        if (!/[\\/]node_modules[\\/]/.test(target)) found.add(target);
      }
    }
  }
  found.delete(root);
  return [...found];
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function links(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith("@") ? links(path) : [];
    return entry.isSymbolicLink() ? [realPath(path)] : [];
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
