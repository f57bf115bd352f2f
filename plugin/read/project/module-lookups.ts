import { ts } from "ts-morph";
import { typedImports } from "./typed-imports.ts";

/** Files and paths by which a file's imports were resolved, in addition to the resolved modules. */
export interface Lookups {
  /** Paths that did not exist. */
  readonly missing: readonly string[];
  /** package.json files that were used. */
  readonly packages: readonly string[];
  /** Paths with a symbolic link, and their targets. */
  readonly links: ReadonlyMap<string, string>;
}

/** Resolves modules for a compiler host, and records the lookups. */
export interface ModuleLookups {
  readonly resolve: NonNullable<ts.CompilerHost["resolveModuleNameLiterals"]>;
  /** Cache of resolutions and of package.json files, which the compiler needs for every file. */
  readonly cache: ts.ModuleResolutionCache;
  /** The lookups for a file; undefined for a file without imports. */
  of(path: string): Lookups | undefined;
}

/** Data about a resolution that the compiler records for its own watch mode. */
interface Traced extends ts.ResolvedModuleWithFailedLookupLocations {
  readonly failedLookupLocations?: readonly string[];
  readonly affectingLocations?: readonly string[];
  readonly resolvedModule: (ts.ResolvedModuleFull & { readonly originalPath?: string }) | undefined;
}

/**
 * Matches the file of tenon with the types of the language model's client. They do not affect tools, and are larger
 * than all other types together.
 */
const clientTypes = /\/runtime\/outside\/llm\/openai-types\.(?:d\.)?ts$/;

/** Creates the module resolution of a project. With `typedOnly`, imports that shape no type are not followed. */
export function createModuleLookups(root: string, typedOnly: boolean, host: () => ts.CompilerHost): ModuleLookups {
  const found = new Map<string, Lookups>();
  const cache = ts.createModuleResolutionCache(root, (name) => host().getCanonicalFileName(name));
  return {
    cache,
    resolve(literals, path, redirected, options, file) {
      const compilerHost = host();
      if (typedOnly && clientTypes.test(path)) return literals.map(() => ({ resolvedModule: undefined }));
      const typed = typedOnly && !file.isDeclarationFile ? typedImports(file) : undefined;
      const resolutions = literals.map((literal): ts.ResolvedModuleWithFailedLookupLocations => {
        if (typed?.has(literal.text) === false) return { resolvedModule: undefined };
        const mode = ts.getModeForUsageLocation(file, literal, options);
        return ts.resolveModuleName(literal.text, path, options, compilerHost, cache, redirected, mode);
      });
      found.set(path, lookupsOf(resolutions));
      return resolutions;
    },
    of: (path) => found.get(path),
  };
}

/** Combines the inputs of several resolutions. */
export function lookupsOf(resolutions: readonly ts.ResolvedModuleWithFailedLookupLocations[]): Lookups {
  const traced: readonly Traced[] = resolutions;
  return {
    missing: [...new Set(traced.flatMap((one) => one.failedLookupLocations ?? []))],
    packages: [...new Set(traced.flatMap((one) => one.affectingLocations ?? []))],
    links: new Map(
      traced.flatMap(({ resolvedModule }) =>
        resolvedModule?.originalPath === undefined
          ? []
          : [[resolvedModule.originalPath, resolvedModule.resolvedFileName] as const],
      ),
    ),
  };
}
