import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { OptionsError, readConfig, type TenonConfig } from "../../plugin/index.ts";
import { CommandError } from "../base/usage.ts";

export interface Project {
  /** Absolute folder of the nearest package.json; the working folder when there is none. */
  readonly root: string;
  /** Absolute path of the entry. */
  readonly entry: string;
  /** Packages that are not bundled. */
  readonly external?: readonly string[];
}

/** Finds the entry file: the given one, else `entry` of the project's options, else `src/service.ts`. */
export function findProject(given: string | undefined, cwd: string = process.cwd()): Project {
  const from = given === undefined ? cwd : dirname(resolve(cwd, given));
  const root = nearestPackage(from) ?? cwd;
  const { entry: configured, external = [] } = readOptions(root);
  if (given !== undefined) return { root, entry: existing(resolve(cwd, given), cwd), external };
  const entry = resolve(root, configured ?? "src/service.ts");
  if (!existsSync(entry)) {
    const said = configured === undefined ? "is the default entry" : "is `entry` of the options";
    throw new CommandError(
      `${relative(cwd, entry)} ${said}, but there is no such file. Name the entry, as the command's \`--help\` tells, or make a service with \`tenon init\`.`,
    );
  }
  return { root, entry, external };
}

function existing(file: string, cwd: string): string {
  if (existsSync(file)) return file;
  throw new CommandError(`There is no file ${relative(cwd, file)}.`);
}

/** The folder of the nearest package.json, searched upwards; undefined if there is none. */
export function nearestPackage(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function readOptions(root: string): TenonConfig {
  try {
    return readConfig(root);
  } catch (error) {
    throw error instanceof OptionsError ? new CommandError(error.message.replace(/^tenon: /, "")) : error;
  }
}
