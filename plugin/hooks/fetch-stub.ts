import { patchFetch } from "../../runtime/clients/outbound/patches/patch-fetch.ts";

export interface FetchStubOptions {
  /** All imports of `http` and `https` in the bundle are replaced by modules of `resolveBuiltin`. */
  readonly builtins: boolean;
}

/**
 * Statements for the banner of every chunk that connect `fetch` to the hook, even when a module stores it before the
 * start.
 */
export function fetchStubBanner({ builtins }: FetchStubOptions): string {
  const mark = builtins ? 'globalThis[Symbol.for("tenon.outbound.builtins")]=true;' : "";
  return `;(${compact(String(patchFetch))})();${mark}`;
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
