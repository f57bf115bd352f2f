import { patchHttp } from "./patch-http.ts";

/** Set by the banner of a bundle in which every import of `http` and `https` leads to a patched module. */
const wrappedKey: unique symbol = Symbol.for("tenon.outbound.builtins") as never;
const patchedKey: unique symbol = Symbol.for("tenon.outbound.patched") as never;

/**
 * Lets `node:http` and `node:https` ask the hook. In a bundle, when they are loaded: whoever imports them there patches
 * them, and what lies outside of the bundle is seen when it asks for them. Loading both would cost every start 14 ms.
 */
export function patchBuiltins(): void {
  const take = process.getBuiltinModule as typeof process.getBuiltinModule & { [patchedKey]?: true };
  if (take[patchedKey] === true) return;
  // Not by an import, which would read all that the builtin exports.
  const modules = take("node:module");
  const waiting = new Set(["http", "https"]);
  const prepare = (id: string): void => {
    const name = id.replace(/^node:/, "");
    if (!waiting.delete(name)) return;
    if (name === "http") patchHttp(take("node:http"), "http:");
    else patchHttp(take("node:https"), "https:");
  };
  const isWrapped = (globalThis as { [wrappedKey]?: true })[wrappedKey] === true;
  const { moduleLoadList: loaded } = process as { moduleLoadList?: readonly string[] };
  if (!isWrapped || loaded === undefined || modules.registerHooks === undefined) {
    for (const name of [...waiting]) prepare(name);
    modules.syncBuiltinESMExports();
    return;
  }
  // Whoever imports one from now on reads what it exports then; only what is there already may have been read.
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
    // Worker runtimes have the name, and no hooks.
    for (const name of [...waiting]) prepare(name);
  }
}
