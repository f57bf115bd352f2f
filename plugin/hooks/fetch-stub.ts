import { patchFetch } from "../../runtime/clients/outbound/patches/patch-fetch.ts";

export interface FetchStubOptions {
  /** Every import of `http` and `https` in the bundle leads to a module of `resolveBuiltin`. */
  readonly builtins: boolean;
}

/** Statements for the banner of every chunk: `fetch` asks the hook, also when a module keeps it before the start. */
export function fetchStubBanner({ builtins }: FetchStubOptions): string {
  const mark = builtins ? 'globalThis[Symbol.for("tenon.outbound.builtins")]=true;' : "";
  return `;(${compact(String(patchFetch))})();${mark}`;
}

// A banner is not minified with the rest: at least without the indentation, and without what type stripping left.
function compact(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"))
    .join("\n")
    .replace(/ {2,}/g, " ");
}
