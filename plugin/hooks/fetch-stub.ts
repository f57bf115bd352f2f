import { keyExpression, outboundKey, patchedKey, wrappedKey } from "../../runtime/contract/process-keys.ts";
import { patchFetch } from "../../runtime/outside/outbound/patches/patch-fetch.ts";

export interface FetchStubOptions {
  /** All imports of `http` and `https` in the bundle are replaced by modules of `resolveBuiltin`. */
  readonly builtins: boolean;
}

/**
 * Statements for the banner of every chunk that connect `fetch` to the hook, even when a module stores it before the
 * start.
 */
export function fetchStubBanner({ builtins }: FetchStubOptions): string {
  const mark = builtins ? `globalThis[${keyExpression(wrappedKey)}]=true;` : "";
  return `;(${compact(String(patchFetch))})(${keyExpression(outboundKey)},${keyExpression(patchedKey)});${mark}`;
}

// Banners are not minified with the bundle: removes at least the indentation, and leftovers of type stripping.
function compact(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"))
    .join("\n")
    .replace(/ {2,}/g, " ");
}
