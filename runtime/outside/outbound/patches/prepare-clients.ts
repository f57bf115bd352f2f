import { outboundKey, patchedKey } from "../../../contract/process-keys.ts";
import { markLate } from "./late-mark.ts";
import { patchBuiltins } from "./patch-builtins.ts";
import { patchDispatcher, patchUndiciIndex } from "./patch-dispatcher.ts";
import { patchFetch } from "./patch-fetch.ts";
import { dispatcherFile, undiciIndexFile } from "./undici-files.ts";

/**
 * Connects all clients of this thread to the hook of `installOutbound`, both loaded clients and those that are loaded
 * later. Call it before author code can load any more. Without a hook, the clients behave as usual.
 */
export function prepareClients(): void {
  patchFetch(outboundKey, patchedKey);
  patchBuiltins();
  patchUndiciCopies();
}

interface CommonJsModules {
  readonly _cache: Readonly<Record<string, { readonly exports: unknown } | undefined>>;
  readonly prototype: { _compile: Compile & { [patchedKey]?: true } };
}

type Compile = (this: { exports: unknown }, content: string, file: string, ...rest: unknown[]) => unknown;

/** Covers copies that are loaded from disk: in tests, in development, and packages that a bundle leaves out. */
function patchUndiciCopies(): void {
  const { _cache: cache, prototype: modules } = process.getBuiltinModule("node:module")
    .Module as unknown as CommonJsModules;
  for (const [file, module] of Object.entries(cache)) patchUndiciFile(file, module?.exports, true);
  const original = modules._compile;
  if (original[patchedKey] === true) return;
  const compile: Compile = function (content, file, ...rest) {
    const result = original.call(this, content, file, ...rest);
    patchUndiciFile(file, this.exports);
    return result;
  };
  modules._compile = Object.defineProperty(compile, patchedKey, { value: true });
}

function patchUndiciFile(file: string, exports: unknown, late = false): void {
  if (dispatcherFile.test(file) && typeof exports === "function") {
    const { prototype } = exports as unknown as { readonly prototype: Parameters<typeof patchDispatcher>[0] };
    if (patchDispatcher(prototype, outboundKey, patchedKey) && late) markLate(prototype);
  } else if (undiciIndexFile.test(file) && typeof exports === "object" && exports !== null && "Dispatcher" in exports) {
    patchUndiciIndex(exports as { [name: string]: unknown }, outboundKey, patchedKey);
  }
}
