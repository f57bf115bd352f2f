import type { ProductionPackage } from "./production-tree.ts";

/** Licences that ask for no more than their own text. */
const allowed = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"]);
/** Packages beside tenon, and the one of rolldown for the platform. */
const mostPackages = 59;

export interface Judgement {
  /** Packages that one platform installs. */
  readonly count: number;
  readonly licences: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
}

/** Judges what users install. Names of packages that only some platforms install carry no licence in the lock file. */
export function judgeTree(tree: readonly ProductionPackage[], most: number = mostPackages): Judgement {
  const everywhere = tree.filter(({ ofPlatform }) => !ofPlatform);
  const licences = Map.groupBy(everywhere, ({ locked }) => locked.license ?? "no licence");
  const foreign = [...licences].filter(([licence]) => !allowed.has(licence));
  const scripts = tree.filter(({ locked }) => locked.hasInstallScript === true);
  const families = new Set(tree.filter(({ ofPlatform }) => ofPlatform).map(({ name }) => name.replace(/-[^/]*$/, "")));
  const count = everywhere.length + families.size;
  return {
    count,
    licences: new Map([...licences].map(([licence, list]) => [licence, list.map(({ name }) => name)])),
    problems: [
      ...foreign.flatMap(([licence, list]) =>
        list.map(({ name }) => `${name} is under ${licence}, which nobody has agreed to.`),
      ),
      ...scripts.map(({ name }) => `${name} runs a script when it is installed.`),
      ...(count > most
        ? [`${count} packages are installed, more than ${most}: say in the commit why, and raise the limit.`]
        : []),
    ],
  };
}
