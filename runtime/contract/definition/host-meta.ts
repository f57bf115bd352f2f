import type { JsonObject } from "../contract.ts";

/**
 * Keys of `_meta` by which a tool asks hosts to load it at once, instead of deferring it behind the host's tool search.
 */
export const alwaysLoadKeys: readonly (readonly [host: string, key: string])[] = [
  ["Claude Code", "anthropic/alwaysLoad"],
];

/** The `_meta` of a tool with `@alwaysLoad`. */
export const alwaysLoadMeta: JsonObject = Object.fromEntries(alwaysLoadKeys.map(([, key]) => [key, true]));
