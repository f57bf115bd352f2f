import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { officialFiles } from "../official-files.ts";
import type { Lockfile, LockedPackage } from "./production-tree.ts";

/** A package of which parts are inside a file of ours. */
export interface BundledPackage {
  readonly name: string;
  readonly place: string;
  readonly locked: LockedPackage;
}

/** Packages that the notices of our bundles name, as the lock file has them. */
export function bundledPackages(root: string, { packages }: Lockfile): readonly BundledPackage[] {
  return officialFiles.flatMap(({ name: official }) => {
    const file = join(root, "dist", official);
    if (!existsSync(file)) throw new Error(`${file} is missing, which names the bundled packages: npm run build`);
    return namesOf(file).map(([name, version]) => {
      const place = `node_modules/${name}`;
      const found = packages[place];
      if (found?.version !== version)
        throw new Error(`${file} has ${name} ${version}, the lock file ${found?.version ?? "none"}: npm run build`);
      // Their own dependencies are bundled or left out with them.
      const { dependencies: _, peerDependencies: __, ...locked } = found;
      return { name, place, locked: { ...locked, dev: false } };
    });
  });
}

/** Names and versions in the comment that begins the file. */
function namesOf(file: string): readonly (readonly [name: string, version: string])[] {
  const text = readFileSync(file, "utf8");
  const notice = text.startsWith("/*!") ? text.slice(0, text.indexOf("*/")) : "";
  const names = [...notice.matchAll(/^ {2}(\S+) (\d\S+)$/gm)].map(
    ([, name = "", version = ""]) => [name, version] as const,
  );
  if (names.length === 0) throw new Error(`${file} has no notice of the packages in it: npm run build`);
  return names;
}
