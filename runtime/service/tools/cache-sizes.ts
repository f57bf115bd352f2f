import type { Tool } from "./tool.ts";

/** The tools with a `jobCacheSize`. */
export function cacheSizes(tools: readonly Tool[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { name, options } of tools) {
    const size = options.executorOpts?.jobCacheSize;
    if (size !== undefined) sizes.set(name, size);
  }
  return sizes;
}
