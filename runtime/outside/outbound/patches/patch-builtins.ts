import { outboundKey, patchedKey, wrappedKey } from "../../../contract/process-keys.ts";
import { patchHttp } from "./patch-http.ts";

/**
 * Connects `node:http` and `node:https` to the hook when they are loaded. Inside a bundle, their importers patch them.
 * Outside, loading them is observed. Loading both at once would cost every start 14 ms.
 */
export function patchBuiltins(): void {
  const take = process.getBuiltinModule as typeof process.getBuiltinModule & { [patchedKey]?: true };
  if (take[patchedKey] === true) return;
  // The module is not imported, since that would read all exports of the builtin.
  const modules = take("node:module");
  const waiting = new Set(["http", "https"]);
  const prepare = (id: string): void => {
    const name = id.replace(/^node:/, "");
    if (!waiting.delete(name)) return;
    if (name === "http") patchHttp(take("node:http"), "http:", outboundKey, patchedKey);
    else patchHttp(take("node:https"), "https:", outboundKey, patchedKey);
  };
  const isWrapped = (globalThis as { [wrappedKey]?: true })[wrappedKey] === true;
  const { moduleLoadList: loaded } = process as { moduleLoadList?: readonly string[] };
  if (!isWrapped || loaded === undefined || modules.registerHooks === undefined) {
    for (const name of waiting) prepare(name);
    modules.syncBuiltinESMExports();
    return;
  }
  // Later importers read the patched exports. Only importers of modules that are loaded already may have read the
  // original ones.
  const present = [...waiting].filter((name) => loaded.includes(`NativeModule ${name}`));
  for (const name of present) prepare(name);
  if (present.length > 0) modules.syncBuiltinESMExports();
  const preparing = (id: string): object | undefined => {
    if (typeof id === "string") prepare(id);
    return take(id);
  };
  process.getBuiltinModule = Object.defineProperty(preparing, patchedKey, { value: true }) as typeof take;
  try {
    modules.registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        prepare(found.url);
        return found;
      },
    });
  } catch {
    // Worker runtimes have `registerHooks` by name, but it does nothing.
    for (const name of waiting) prepare(name);
  }
}
