// The function of this file also goes into bundles as text, so it uses only globals.
import type { outboundKey, patchedKey } from "../../../contract/process-keys.ts";
import type { OutboundHook } from "./hook.ts";

/**
 * Connects the global `fetch` to the hook. This code is in the banner of every chunk, before any `const f = fetch`, and
 * loads nothing: Node creates its `fetch` on the first call.
 */
export function patchFetch(key: typeof outboundKey, mark: typeof patchedKey): void {
  const scope = globalThis as {
    [key]?: OutboundHook;
    fetch?: ((input: unknown, init?: unknown) => unknown) & { [mark]?: true };
  };
  const original = scope.fetch;
  if (typeof original !== "function" || original[mark] === true) return;
  const patched = function fetch(input: unknown, init: unknown = undefined): unknown {
    const hook = scope[key];
    return hook === undefined
      ? original(input, init)
      : hook.fetch(original as Parameters<OutboundHook["fetch"]>[0], input, init);
  };
  scope.fetch = Object.defineProperty(patched, mark, { value: true });
}
