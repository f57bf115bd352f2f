import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { CommandError } from "../base/usage.ts";

export interface Project {
  /** Absolute folder of the nearest package.json; the working folder when there is none. */
  readonly root: string;
  /** Absolute path of the entry. */
  readonly entry: string;
}

interface PackageJson {
  readonly tenon?: { readonly entry?: unknown };
}

/** Finds the entry: the given one, else `tenon.entry` of package.json, else `src/service.ts`. */
export function findProject(given: string | undefined, cwd: string = process.cwd()): Project {
  const from = given === undefined ? cwd : dirname(resolve(cwd, given));
  const root = nearestPackage(from) ?? cwd;
  if (given !== undefined) return { root, entry: existing(resolve(cwd, given), cwd) };
  const configured = readPackage(root).tenon?.entry;
  if (configured !== undefined && typeof configured !== "string") {
    throw new CommandError(
      `${join(root, "package.json")}: "tenon.entry" must be a path, for example "src/service.ts".`,
    );
  }
  const entry = resolve(root, configured ?? "src/service.ts");
  if (!existsSync(entry)) {
    const said = configured === undefined ? "is the default entry" : 'is "tenon.entry" of package.json';
    throw new CommandError(
      `${relative(cwd, entry)} ${said}, but there is no such file. Name the entry, or make a service with \`tenon init\`.`,
    );
  }
  return { root, entry };
}

function existing(file: string, cwd: string): string {
  if (existsSync(file)) return file;
  throw new CommandError(`There is no file ${relative(cwd, file)}.`);
}

function nearestPackage(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function readPackage(root: string): PackageJson {
  const file = join(root, "package.json");
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as PackageJson;
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
