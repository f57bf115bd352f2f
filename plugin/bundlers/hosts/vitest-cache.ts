import { mayConcern } from "../../packages/find-tool-files.ts";
import { viewImport } from "../../hooks/view-modules.ts";

/** Decides about one module: `false` keeps it out of the cache. */
type CacheKeyGenerator = (module: { readonly id: string; readonly sourceCode: string }) => false | undefined;

/** Properties of the context of vitest's hook for plugins that this plugin uses. */
export interface VitestContext {
  /** From vitest 5. */
  readonly defineCacheKeyGenerator?: (generator: CacheKeyGenerator) => void;
  /** In vitest 4, whose cache is off by default. */
  readonly experimental_defineCacheKeyGenerator?: (generator: CacheKeyGenerator) => void;
}

/**
 * Keeps modules with tools, and views, out of vitest's cache of transformed modules. Its keys are the text of a file: a
 * tool would be called through the validator of a type that has changed in another file since.
 */
export function leaveOutOfCache(context: VitestContext): void {
  const define = context.defineCacheKeyGenerator ?? context.experimental_defineCacheKeyGenerator;
  define?.(({ id, sourceCode }) => (viewImport.test(id) || mayConcern(id, sourceCode) ? false : undefined));
}
