/**
 * Adds to package-lock.json the platform packages (such as `@rspack/binding-darwin-arm64`) that its packages list as
 * optional and that npm left out, because the registry in use did not have them. `npm ci` refuses a lock file without
 * them. Run it after `npm install`; a test tells when it is needed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

interface LockedPackage {
  readonly version?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const systems: Readonly<Record<string, string>> = { macos: "darwin", windows: "win32" };
const platform =
  /(?:^|[/-])(aix|android|darwin|freebsd|linux|macos|netbsd|openbsd|openharmony|sunos|win32|windows)-([a-z0-9]+)/;

/** The text of a lock file with all platform packages that it names; unchanged when none is missing. */
export function completeLockfile(text: string): string {
  const lock = JSON.parse(text) as Lockfile;
  const added: Record<string, LockedPackage> = {};
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const top = `node_modules/${name}`;
      const nested = `${path}/${top}`;
      const { version: locked } = lock.packages[nested] ?? lock.packages[top] ?? added[top] ?? {};
      if (locked === version || !/^\d/.test(version)) continue;
      // The place at the top has another version of the package.
      const place = locked === undefined ? top : nested;
      added[place] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) };
    }
  }
  if (Object.keys(added).length === 0) return text;
  const packages = Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`;
}

function platformOf(name: string): Pick<LockedPackage, "os" | "cpu"> {
  const [, system, cpu] = platform.exec(name) ?? [];
  if (system !== undefined && cpu !== undefined) return { os: [systems[system] ?? system], cpu: [cpu] };
  // A package for every platform is never installed here, so its absence does not matter.
  return { cpu: ["wasm32"] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text = readFileSync("package-lock.json", "utf8");
  writeFileSync("package-lock.json", completeLockfile(text));
}
