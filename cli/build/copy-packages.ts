import { cpSync, existsSync, realpathSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { installedPackage, readPackage, withDependencies } from "./installed-packages.ts";
import type { OutsidePackage } from "./outside-packages.ts";

/** Paths, relative to a folder, of the packages that must be in a node_modules beside the bundle; sorted. */
export function foldersToCopy(packages: readonly OutsidePackage[], from: string): readonly string[] {
  const folders = packages.flatMap(({ folder }) =>
    folder === undefined ? [] : [...withDependencies(folder).values()],
  );
  const outer = [...new Set(folders)].filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  return outer.map((folder) => relative(from, folder)).toSorted();
}

/** Copies packages with their dependencies into the node_modules of a folder. */
export function copyPackages(packages: readonly OutsidePackage[], outdir: string): void {
  const placed = new Map<string, string>();
  for (const { name, folder } of packages) if (folder !== undefined) copyPackage(name, folder, outdir, placed);
}

/**
 * Copies one package and its dependencies. `placed`: copied folders by target, so that circular dependencies end and
 * two versions of a package stay separate.
 */
function copyPackage(name: string, folder: string, into: string, placed: Map<string, string>): void {
  const target = join(into, "node_modules", name);
  if (placed.has(target)) return;
  placed.set(target, folder);
  if (existsSync(target)) {
    if (realpathSync(target) === folder) return;
    rmSync(target, { recursive: true });
  }
  cpSync(folder, target, { recursive: true });
  const copyNeeds = (inner: string): void => {
    const place = join(target, relative(folder, inner));
    placed.set(place, inner);
    const { dependencies, optionalDependencies, peerDependencies } = readPackage(inner);
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const installed = installedPackage(needed, inner);
      if (installed === undefined) continue;
      if (installed.startsWith(join(folder, "node_modules"))) {
        // A dependency inside the package's own folder has been copied with the package, but not what it needs.
        if (!placed.has(join(target, relative(folder, installed)))) copyNeeds(installed);
        continue;
      }
      const shared = placed.get(join(into, "node_modules", needed));
      copyPackage(needed, installed, shared === undefined || shared === installed ? into : place, placed);
    }
  };
  copyNeeds(folder);
}
