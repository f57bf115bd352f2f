import { ts } from "ts-morph";
import { typedImports } from "./typed-imports.ts";

/** What finding the modules of a file's imports depended on, beside the modules themselves. */
export interface Lookups {
  /** Paths that did not exist. */
  readonly missing: readonly string[];
  /** package.json files that decided. */
  readonly packages: readonly string[];
  /** Paths with a symbolic link in them, and where they led. */
  readonly links: ReadonlyMap<string, string>;
}

/** Finds modules for a compiler host, and remembers how. */
export interface ModuleLookups {
  readonly resolve: NonNullable<ts.CompilerHost["resolveModuleNameLiterals"]>;
  /** What was found so far, package.json files included; the compiler asks those about every file. */
  readonly cache: ts.ModuleResolutionCache;
  /** What was looked up for a file; undefined for one that imports nothing. */
  of(path: string): Lookups | undefined;
}

/** The parts of a resolution that the compiler's own watch mode goes by. */
interface Traced extends ts.ResolvedModuleWithFailedLookupLocations {
  readonly failedLookupLocations?: readonly string[];
  readonly affectingLocations?: readonly string[];
  readonly resolvedModule: (ts.ResolvedModuleFull & { readonly originalPath?: string }) | undefined;
}

/** Where tenon names the types of the language model's client. They shape no tool, and are more than all others together. */
const clientTypes = /\/runtime\/clients\/llm\/openai-types\.(?:d\.)?ts$/;

/** With `typedOnly` an import that shapes no type is not followed: it names nothing, and nobody asks for it. */
export function createModuleLookups(root: string, typedOnly: boolean, host: () => ts.CompilerHost): ModuleLookups {
  const found = new Map<string, Lookups>();
  const cache = ts.createModuleResolutionCache(root, (name) => host().getCanonicalFileName(name));
  return {
    cache,
    resolve(literals, path, redirected, options, file) {
      const compilerHost = host();
      if (typedOnly && clientTypes.test(path)) return literals.map(() => ({ resolvedModule: undefined }));
      const typed = typedOnly && !file.isDeclarationFile ? typedImports(file) : undefined;
      const resolutions = literals.map((literal): Traced => {
        if (typed?.has(literal.text) === false) return { resolvedModule: undefined };
        const mode = ts.getModeForUsageLocation(file, literal, options);
        return ts.resolveModuleName(literal.text, path, options, compilerHost, cache, redirected, mode) as Traced;
      });
      found.set(path, {
        missing: [...new Set(resolutions.flatMap((one) => one.failedLookupLocations ?? []))],
        packages: [...new Set(resolutions.flatMap((one) => one.affectingLocations ?? []))],
        links: new Map(
          resolutions.flatMap(({ resolvedModule }) =>
            resolvedModule?.originalPath === undefined
              ? []
              : [[resolvedModule.originalPath, resolvedModule.resolvedFileName] as const],
          ),
        ),
      });
      return resolutions;
    },
    of: (path) => found.get(path),
  };
}
