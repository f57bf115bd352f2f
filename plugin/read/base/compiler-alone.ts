/**
 * The compiler that ts-morph carries, without the rest of ts-morph. The built plugin has this module in the place of
 * ts-morph (`scripts/build.ts`): the rest is a third of the time that loading takes, most of it 3 MB of library texts.
 */
import { createRequire } from "node:module";
import type { ts as Compiler } from "ts-morph";
import { besideTsMorph } from "./beside-ts-morph.ts";

export const ts: typeof Compiler = load();

function load(): typeof Compiler {
  try {
    return besideTsMorph()("@ts-morph/common/dist/typescript.js") as typeof Compiler;
  } catch {
    // Another version of ts-morph may keep it elsewhere, and whatever else is wrong is better said about the whole.
    return (createRequire(import.meta.url)("ts-morph") as { readonly ts: typeof Compiler }).ts;
  }
}
