import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { startsService } from "../packages/find-tool-files.ts";
import { readText } from "../read/base/read-text.ts";
import { checkOptions, OptionsError, pluginChecks, type ProjectOptions, type TenonOptions, text } from "./options.ts";

/** The options of a project, read by the plugin and by every command: `tenon` in package.json, or `tenon.config.ts`. */
export interface TenonConfig extends TenonOptions {
  /** Path of the entry; default `src/service.ts`. */
  readonly entry?: string;
  /** Packages that `tenon build`, `dev` and `call` do not bundle. */
  readonly external?: readonly string[];
}

/** Gives a configuration its type: `export default defineConfig({ … })`. */
export function defineConfig(config: TenonConfig): TenonConfig {
  return config;
}

/**
 * Rules of builds. Builds derive missing URNs, so that a first tool is served at once; `tenon check` reports them as
 * errors.
 */
export const rulesOfBuilds = { "missing-schema": "warn" } as const;

/** The entry of a project that names none. */
const defaultEntry = "src/service.ts";

const configFiles = ["ts", "mts", "js", "mjs", "json"].map((extension) => `tenon.config.${extension}`);

const checks = {
  ...pluginChecks,
  entry: text,
  external: (value: unknown) =>
    Array.isArray(value) && value.every((one) => text(one) === undefined) ? undefined : "a list of names of packages",
};

/**
 * Reads the options of a project, given its folder; empty if there are none.
 * @throws {OptionsError} for options in two places, for a file that cannot be read, and for invalid options
 */
export function readConfig(root: string): TenonConfig {
  const inPackage = packageField(root);
  const found = [...(inPackage === undefined ? [] : ["`tenon` in package.json"]), ...configsIn(root)];
  const [place, other] = found;
  if (place === undefined) return {};
  if (other !== undefined) {
    throw new OptionsError(`tenon: options stand in two places, ${place} and ${other}. Keep one of them.`);
  }
  const given = inPackage ?? loadConfig(root, place);
  return checkOptions<TenonConfig>(given, checks, `tenon: ${place}: `);
}

/** The options for the plugin; options of its caller take precedence over those of the project. */
export function withConfig(root: string, given: TenonOptions): ProjectOptions {
  const { entry, external: _external, ...options } = readConfig(root);
  const main = given.service === undefined ? mainEntry(root, entry) : undefined;
  return {
    ...options,
    ...given,
    ...(main !== undefined && { main }),
    ...(typeof given.service === "string" && { isNamed: true }),
    ...((options.rules ?? given.rules) && { rules: { ...options.rules, ...given.rules } }),
  };
}

/**
 * Absolute path of the entry that a project names, or of the default one; undefined if there is no such file.
 * @throws {OptionsError} for invalid options
 */
export function existingEntry(root: string): string | undefined {
  const entry = resolve(root, readConfig(root).entry ?? defaultEntry);
  return existsSync(entry) ? entry : undefined;
}

/**
 * Returns the entry to which `service.json` belongs, if the project names one. Other entries have definition files of
 * their own.
 */
function mainEntry(root: string, entry: string | undefined): string | undefined {
  if (entry !== undefined) return resolve(root, entry);
  const file = join(root, defaultEntry);
  return startsService(readText(file) ?? "") ? file : undefined;
}

/** Finds the config files of the project. A file that looks like a config but is not read is reported. */
function configsIn(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  const names = readdirSync(root).filter((name) => /^\.?tenon(?:rc|\.config)(?:\.\w+)?$/.test(name));
  const unknown = names.find((name) => !configFiles.includes(name));
  if (unknown === undefined) return names;
  throw new OptionsError(
    `tenon: ${unknown} is not read. Name it ${configFiles[0]}, or one of ${configFiles.slice(1).join(", ")}.`,
  );
}

function packageField(root: string): unknown {
  const file = join(root, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { tenon?: unknown } | null)?.tenon;
  } catch (error) {
    throw new OptionsError(`tenon: ${file} is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Loads a config with `require`: since version 22.18, Node strips the types of TypeScript, and `require` can load ES
 * modules.
 */
function loadConfig(root: string, name: string): unknown {
  const file = join(root, name);
  let loaded: unknown;
  try {
    loaded = isYounger(file) ? loadAnew(file) : createRequire(import.meta.url)(file);
  } catch (error) {
    throw new OptionsError(`tenon: ${name} cannot be loaded: ${(error as Error).message}`);
  }
  if (name.endsWith(".json")) return loaded;
  const { default: config } = loaded as { default?: unknown };
  if (config === undefined) {
    throw new OptionsError(`tenon: ${name} has no default export. Write \`export default { … }\` there.`);
  }
  return config;
}

/** True for a file that has changed since this process began, so that Node may have loaded an older version. */
function isYounger(file: string): boolean {
  return statSync(file).ctimeMs > performance.timeOrigin;
}

const loader = `let said;
try { said = { loaded: require(process.argv[1]) } } catch ({ message }) { said = { message } }
process.stdout.write("\\n" + JSON.stringify(said, (_, value) => typeof value === "function" ? null : value));`;

/** Loads a module in a separate process, since Node never unloads modules. */
function loadAnew(file: string): unknown {
  const { stdout, error } = spawnSync(process.execPath, ["-e", loader, file], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (error !== undefined) throw error;
  const { loaded, message } = JSON.parse(stdout.slice(stdout.lastIndexOf("\n") + 1)) as {
    readonly loaded?: unknown;
    readonly message?: string;
  };
  if (message !== undefined) throw new Error(message);
  return loaded;
}
