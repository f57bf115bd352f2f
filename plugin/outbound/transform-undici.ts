import { patchDispatcher, patchUndiciIndex } from "../../runtime/outbound/patch-dispatcher.ts";
import { dispatcherFile, undiciIndexFile } from "../../runtime/outbound/undici-files.ts";

/** Transform of the three files in which a copy of undici makes its dispatchers and its functions. */
export const undiciTransform: {
  /** For the id of a module, without its query. */
  readonly filter: RegExp;
  /**
   * Text with the patch behind it, so that no line moves and no source map is needed; undefined for a file that only
   * looks like one of undici's.
   */
  readonly transform: (code: string, id: string) => string | undefined;
} = {
  filter: new RegExp(`${dispatcherFile.source}|${undiciIndexFile.source}`),
  transform(code, id) {
    if (dispatcherFile.test(id))
      return isClass(code) ? `${code}\n;(${patchDispatcher})(module.exports.prototype);\n` : undefined;
    return isIndex(code) ? `${code}\n;(${patchUndiciIndex})(module.exports);\n` : undefined;
  },
};

function isClass(code: string): boolean {
  return /\bmodule\.exports\s*=\s*(?:DispatcherBase|ProxyAgent)\b/.test(code);
}

function isIndex(code: string): boolean {
  return /\bmodule\.exports\.Dispatcher\s*=/.test(code) && code.includes("dispatcher/");
}
