import type { Cors } from "./cors.ts";

/** Opens the configured rules for pages of other origins; few services list any. */
export async function openCors(origins: readonly string[]): Promise<Cors | undefined> {
  if (origins.length === 0) return undefined;
  return (await import("./cors.ts")).createCors(origins);
}
