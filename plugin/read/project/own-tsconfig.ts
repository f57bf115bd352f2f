import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { ts } from "ts-morph";

/**
 * Reads the tsconfig.json of a project that gets a service.
 *
 * @param isModule `true` for a package with `"type": "module"`
 * @returns Undefined where a service can be compiled by it. Else what it lacks to leave one in `service` alone: a file
 * with `exclude`, or nothing
 */
export function readOwnTsconfig(folder: string, isModule: boolean): Readonly<Record<string, string>> | undefined {
  const path = join(folder, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile) as { readonly config?: object };
  // A file that cannot be read, and one that only names other projects, say nothing of a service.
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
  /** With all that it extends. */
  readonly raw: {
    readonly files?: readonly string[];
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
}

/** True for a pattern of files that may be in any folder. */
function readsAll(pattern: string): boolean {
  const [first = ""] = pattern.replace(/^\.\//, "").split("/");
  return first === "." || first === "" || first === "service" || first.includes("*");
}

const { ModuleKind: Kind, ModuleResolutionKind: Resolution, ScriptTarget: Target } = ts;

/**
 * A service waits at its top, and its imports are found by `exports`.
 *
 * @param major That of the project's TypeScript, whose defaults differ
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

/** Major version of the project's own TypeScript; the one that a new service gets where there is none. */
function typescriptMajor(folder: string): number {
  try {
    const file = createRequire(join(folder, "package.json")).resolve("typescript/package.json");
    return Number.parseInt((JSON.parse(readFileSync(file, "utf8")) as { version: string }).version, 10);
  } catch {
    return 6;
  }
}
