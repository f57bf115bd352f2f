import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { thirdPartyFile } from "../build/third-party.ts";
import type { Lockfile, LockedPackage } from "./production-tree.ts";

/** A package of which parts are inside a file of ours. */
export interface BundledPackage {
  readonly name: string;
  readonly place: string;
  readonly locked: LockedPackage;
}

/** Packages that the build has named beside its files, as the lock file has them. */
export function bundledPackages(root: string, { packages }: Lockfile): readonly BundledPackage[] {
  const file = join(root, thirdPartyFile);
  if (!existsSync(file)) throw new Error(`${file} is missing, which names the bundled packages: npm run build`);
  const named = readFileSync(file, "utf8").matchAll(/^ {2}(\S+) (\d\S+) \(/gm);
  return Array.from(named, ([, name = "", version = ""]) => {
    const place = `node_modules/${name}`;
    // One of several versions may stand below the package that needs it.
    const found = Object.entries(packages).find(
      ([path, one]) => (path === place || path.endsWith(`/${place}`)) && one.version === version,
    )?.[1];
    if (found === undefined) throw new Error(`${file} has ${name} ${version}, the lock file has not: npm run build`);
    // Their own dependencies are bundled or left out with them.
    const { dependencies: _, peerDependencies: __, ...locked } = found;
    return { name, place, locked: { ...locked, dev: false } };
  });
}
