import { stdoutGuardBanner } from "../../runtime/base/process/stdout-guard.ts";
import { fetchStubBanner } from "./fetch-stub.ts";

/** What the text of a chunk's banner depends on. */
export interface BannerPlace {
  /** The bundler leaves `require`, `__dirname` and `__filename` of bundled CommonJS packages undefined. */
  readonly commonJsNames?: boolean;
  /** The service answers on standard output without being asked by a flag. */
  readonly stdio?: boolean;
  /** The file is one that users start; only where the bundler itself rewrites `import.meta.url` of modules. */
  readonly entry?: boolean;
  /** Imports of `http` and `https` lead to the modules of `resolveBuiltin`. */
  readonly builtins?: boolean;
}

// Expressions on `globalThis`, no declarations: a user's own banner may declare `require` beside this one. Made when a
// package names them, since most starts load none that does.
const commonJsNames =
  "(names=>{for(const name in names)if(globalThis[name]===undefined){" +
  "const set=value=>Object.defineProperty(globalThis,name,{value,writable:true,configurable:true,enumerable:true});" +
  "Object.defineProperty(globalThis,name,{set,get:()=>set(names[name]())[name],configurable:true,enumerable:true})}})" +
  '({require:()=>process.getBuiltinModule("node:module").createRequire(import.meta.url),' +
  "__dirname:()=>import.meta.dirname,__filename:()=>import.meta.filename});";

/** Statement by which worker threads find the file to start again; runs in the entry before anything is served. */
export const entryMark: string = 'globalThis[Symbol.for("tenon.entry")]??=import.meta.url;';

/** Statement by which a built service knows its version where there is no package.json. */
export function versionMark(version: string): string {
  return `globalThis[Symbol.for("tenon.version")]??=${JSON.stringify(version)};`;
}

/**
 * The text that stands first in every chunk of a built service. In every chunk, because shared chunks run before the
 * entry.
 */
export function composeBanner(place: BannerPlace): string {
  const parts = [
    stdoutGuardBanner(place.stdio === true ? "always" : "flags"),
    fetchStubBanner({ builtins: place.builtins === true }),
    place.commonJsNames === true ? commonJsNames : "",
    place.entry === true ? entryMark : "",
  ];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => (/[;}]$/.test(part) ? part : `${part};`))
    .join("\n");
}
