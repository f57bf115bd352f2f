import { keyExpression, outboundKey, patchedKey } from "../../runtime/contract/process-keys.ts";
import { patchDispatcher, patchUndiciIndex } from "../../runtime/outside/outbound/patches/patch-dispatcher.ts";
import { dispatcherFile, undiciIndexFile } from "../../runtime/outside/outbound/patches/undici-files.ts";

const keys = [outboundKey, patchedKey].map(keyExpression).join();

/**
 * Transforms the three files in which a copy of undici defines its dispatchers and its functions, so that its requests
 * pass the outbound hook.
 */
export const undiciTransform: {
  /** Matches the id of a module, with or without a query. */
  readonly filter: RegExp;
  /** Matches the text of each of the three files. */
  readonly code: RegExp;
  /**
   * Returns the text followed by the patch, so that no line moves and no source map is needed. Undefined for a file
   * that only looks like a file of undici.
   */
  readonly transform: (code: string, id: string) => string | undefined;
} = {
  filter: new RegExp(`${dispatcherFile.source}|${undiciIndexFile.source}`),
  code: /^module\.exports(?:\.Dispatcher)?\s*=/m,
  transform(code, id) {
    if (dispatcherFile.test(id))
      return isClass(code) ? `${code}\n;(${patchDispatcher})(module.exports.prototype, ${keys});\n` : undefined;
    return isIndex(code) ? `${code}\n;(${patchUndiciIndex})(module.exports, ${keys});\n` : undefined;
  },
};

// Tests for a class at the start of a line: in `?raw` imports, the same files are texts inside of a module.
function isClass(code: string): boolean {
  return /^module\.exports\s*=\s*(?:DispatcherBase|ProxyAgent)\b/m.test(code);
}

function isIndex(code: string): boolean {
  return /^module\.exports\.Dispatcher\s*=/m.test(code) && code.includes("dispatcher/");
}
