/** An entry of package-lock.json. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface ProductionPackage {
  readonly name: string;
  /** Its place in the tree. */
  readonly place: string;
  /** Only some platforms install it. */
  readonly ofPlatform: boolean;
  readonly locked: LockedPackage;
}

/** Packages that an install of this lock file's package brings: its dependencies, and theirs, by name. */
export function productionTree({ packages }: Lockfile): readonly ProductionPackage[] {
  const found = new Map<string, ProductionPackage>();
  const waiting: { readonly at: string; readonly locked: LockedPackage }[] = [{ at: "", locked: packages[""] ?? {} }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, locked } = next;
    const isOptional = (name: string): boolean => locked.peerDependenciesMeta?.[name]?.optional === true;
    const peers = Object.keys(locked.peerDependencies ?? {}).filter((name) => !isOptional(name));
    const needed = [...Object.keys(locked.dependencies ?? {}), ...peers];
    const some = Object.keys(locked.optionalDependencies ?? {});
    for (const name of [...needed, ...some]) {
      const place = placeOf(packages, at, name);
      const entry = place === undefined ? undefined : packages[place];
      if (place === undefined || entry === undefined || found.has(place)) continue;
      found.set(place, { name, place, ofPlatform: some.includes(name), locked: entry });
      // Dependencies of another platform's package are not installed either.
      if (!some.includes(name)) waiting.push({ at: place, locked: entry });
    }
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The place in which Node finds a package, seen from a place of the tree. */
function placeOf(packages: Lockfile["packages"], from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const place = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === "") return undefined;
    if (!at.includes("/node_modules/")) {
      const top = `node_modules/${name}`;
      return packages[top] === undefined ? undefined : top;
    }
  }
}
