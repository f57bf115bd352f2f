import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { ts } from "ts-morph";

/**
 * Reads the tsconfig.json of a project that gets a service.
 *
 * @param isModule `true` for a package with `"type": "module"`
 * @returns Undefined if the tsconfig can compile a service. Otherwise the files to add, by path, so that it does not
 *   compile the folder `service`: one with `exclude`, or none
 */
export function readOwnTsconfig(folder: string, isModule: boolean): Readonly<Record<string, string>> | undefined {
  const path = join(folder, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile) as { readonly config?: object };
  // A file that cannot be read, or that only references other projects, does not affect a service.
  if (config === undefined || "references" in config) return undefined;
  const { options, raw } = ts.parseJsonConfigFileContent(config, ts.sys, folder) as Parsed;
  if (compilesServices(options, isModule, typescriptMajor(folder))) return undefined;
  if (raw.include === undefined ? raw.files !== undefined : !raw.include.some(readsAll)) return {};
  const written = [options.outDir, options.declarationDir].filter((one) => one !== undefined);
  const usual = raw.exclude === undefined ? ["node_modules", ...written.map((one) => relative(folder, one))] : [];
  return { "tsconfig.json": JSON.stringify({ exclude: [...new Set([...usual, "service", "vitest.config.ts"])] }) };
}

interface Parsed {
  readonly options: ts.CompilerOptions & { readonly outDir?: string };
  /** The options, including inherited ones. */
  readonly raw: {
    readonly files?: readonly string[];
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
}

/** True for a pattern that matches files in any folder. */
function readsAll(pattern: string): boolean {
  const [first = ""] = pattern.replace(/^\.\//, "").split("/");
  return first === "." || first === "" || first === "service" || first.includes("*");
}

const { ModuleKind: Kind, ModuleResolutionKind: Resolution, ScriptTarget: Target } = ts;

/**
 * True if options can compile a service, which needs top-level await, and resolution by `exports`.
 *
 * @param major Major version of the project's TypeScript, on which defaults depend
 */
function compilesServices(options: ts.CompilerOptions, isModule: boolean, major: number): boolean {
  const target = options.target ?? (major < 6 ? Target.ES5 : Target.ES2022);
  const module = options.module ?? (major < 6 ? Kind.CommonJS : Kind.ESNext);
  const isNode = module >= Kind.Node16 && module <= Kind.NodeNext;
  const waits = isNode ? isModule : module === Kind.Preserve || module === Kind.ES2022 || module === Kind.ESNext;
  const resolution =
    options.moduleResolution ?? (isNode || module === Kind.Preserve || major >= 6 ? Resolution.Bundler : undefined);
  const findsExports = resolution !== undefined && resolution >= Resolution.Node16;
  return waits && findsExports && (isNode || target >= Target.ES2017);
}

/** Major version of the project's own TypeScript; without one, the version that a new service gets. */
function typescriptMajor(folder: string): number {
  try {
    const file = createRequire(join(folder, "package.json")).resolve("typescript/package.json");
    return Number.parseInt((JSON.parse(readFileSync(file, "utf8")) as { version: string }).version, 10);
  } catch {
    return 6;
  }
}
