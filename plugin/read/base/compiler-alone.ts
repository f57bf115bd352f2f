/**
 * The compiler inside ts-morph, without the rest of ts-morph. The built plugin uses this module instead of ts-morph
 * (`scripts/build.ts`): the rest is a third of the loading time, mostly 3 MB of library texts.
 */
import { createRequire } from "node:module";
import type { ts as Compiler } from "ts-morph";
import { besideTsMorph } from "./beside-ts-morph.ts";

export const ts: typeof Compiler = load();

function load(): typeof Compiler {
  try {
    return besideTsMorph()("@ts-morph/common/dist/typescript.js") as typeof Compiler;
  } catch {
    // All of ts-morph is loaded if this fails: in another version the compiler may be elsewhere, and ts-morph then
    // gives the better error.
    return (createRequire(import.meta.url)("ts-morph") as { readonly ts: typeof Compiler }).ts;
  }
}
