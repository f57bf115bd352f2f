import { deploymentKey } from "../../runtime/contract/deployment-key.ts";
import { mcpNameKey } from "../../runtime/contract/mcp-name-key.ts";
import {
  entryKey,
  keyExpression,
  versionKey,
  outboundKey,
  patchedKey,
  wrappedKey,
} from "../../runtime/contract/process-keys.ts";
import { stdoutGuardBanner } from "../../runtime/base/process/stdout-guard.ts";
import type { PackageFacts } from "../packages/packages.ts";
import { patchFetch } from "../../runtime/outside/outbound/patches/patch-fetch.ts";

/** Properties of a chunk that decide its banner. */
export interface BannerPlace {
  /** True if the bundler leaves `require`, `__dirname` and `__filename` of bundled CommonJS packages undefined. */
  readonly commonJsNames?: boolean;
  /** True if the service uses standard output without a flag. */
  readonly stdio?: boolean;
  /** Set if users can start the file, as this kind of module; only for bundlers that rewrite `import.meta.url`. */
  readonly entry?: ModuleKind;
  /** True if imports of `http` and `https` are replaced by the modules of `resolveBuiltin`. */
  readonly builtins?: boolean;
}

// Definitions of the CommonJS names on `globalThis`. They are not declarations, since a user's own banner may declare
// `require`. They are created only when a package uses them, which most starts never do.
const commonJsNames =
  "(names=>{for(const name in names)if(globalThis[name]===undefined){" +
  "const set=value=>Object.defineProperty(globalThis,name,{value,writable:true,configurable:true,enumerable:true});" +
  "Object.defineProperty(globalThis,name,{set,get:()=>set(names[name]())[name],configurable:true,enumerable:true})}})" +
  '({require:()=>process.getBuiltinModule("node:module").createRequire(import.meta.url),' +
  "__dirname:()=>import.meta.dirname,__filename:()=>import.meta.filename});";

/** Form of an output. */
export type ModuleKind = "module" | "commonjs";

const moduleEntryMark = `globalThis[${keyExpression(entryKey)}]??=import.meta.url;`;

// Mark for CommonJS entries. It must also work where `__filename` does not exist, since a bundler that writes no ES
// modules may write for such environments.
const commonJsEntryMark =
  `if(typeof __filename==="string")globalThis[${keyExpression(entryKey)}]??=` +
  `process.getBuiltinModule("node:url").pathToFileURL(__filename).href;`;

/**
 * Makes the statement that records the file that worker threads start. It runs in the entry before anything is served.
 */
export function entryMark(kind: ModuleKind): string {
  return kind === "module" ? moduleEntryMark : commonJsEntryMark;
}

/** Makes the statements that record data of a service's package, for environments without a package.json. */
export function packageMark({ version, mcpName, deployment }: PackageFacts): string {
  const values = [
    [versionKey, version],
    [mcpNameKey, mcpName],
    [deploymentKey, deployment],
  ] as const;
  return values
    .flatMap(([key, value]) =>
      value === undefined ? [] : `globalThis[${keyExpression(key)}]??=${JSON.stringify(value)};`,
    )
    .join("");
}

/** Text at the start of every chunk of a built service, since shared chunks run before the entry. */
export function composeBanner(place: BannerPlace): string {
  const parts = [
    stdoutGuardBanner(place.stdio === true ? "always" : "flags"),
    fetchStubBanner({ builtins: place.builtins === true }),
    place.commonJsNames === true ? commonJsNames : "",
    place.entry === undefined ? "" : entryMark(place.entry),
  ];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => (/[;}]$/.test(part) ? part : `${part};`))
    .join("\n");
}

interface FetchStubOptions {
  /** True if all imports of `http` and `https` in the bundle are replaced by modules of `resolveBuiltin`. */
  readonly builtins: boolean;
}

/**
 * Makes the statements for the banner of every chunk that connect `fetch` to the hook. They run first, so that this
 * works even when a module stores `fetch` before the start.
 */
export function fetchStubBanner({ builtins }: FetchStubOptions): string {
  const mark = builtins ? `globalThis[${keyExpression(wrappedKey)}]=true;` : "";
  return `;(${compact(String(patchFetch))})(${keyExpression(outboundKey)},${keyExpression(patchedKey)});${mark}`;
}

// Removes indentation, and leftovers of type stripping: banners are not minified with the bundle.
function compact(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"))
    .join("\n")
    .replace(/ {2,}/g, " ");
}
