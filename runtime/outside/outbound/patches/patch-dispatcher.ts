// The functions of this file also go into bundles as text, so they use only their arguments and globals.
import type { outboundKey, patchedKey } from "../../../contract/process-keys.ts";
import type { Dispatch, OutboundHook } from "./hook.ts";

interface DispatcherPrototype {
  dispatch: Dispatch;
}

interface Composing {
  compose: (...interceptors: unknown[]) => DispatcherPrototype;
}

/**
 * Connects a dispatcher class of undici to the hook: `dispatch` of the class, and `compose` of its base. Must run when
 * the class is created: `compose` binds `dispatch` at once, and authors compose at import time. Acts once per class;
 * returns whether it acted.
 */
export function patchDispatcher(
  prototype: DispatcherPrototype,
  key: typeof outboundKey,
  mark: typeof patchedKey,
): boolean {
  const scope = globalThis as { [key]?: OutboundHook };
  const isNew = !Object.hasOwn(prototype, mark);
  if (isNew) {
    Object.defineProperty(prototype, mark, { value: true });
    const original = prototype.dispatch;
    prototype.dispatch = function dispatch(this: object, options: unknown, handler: unknown) {
      const hook = scope[key];
      return hook === undefined
        ? original.call(this, options, handler)
        : hook.dispatch(this, original, options, handler);
    };
  }
  let base: object | null = prototype;
  while (base !== null && !Object.hasOwn(base, "compose")) base = Object.getPrototypeOf(base) as object | null;
  if (base === null || Object.hasOwn(base, mark)) return isNew;
  Object.defineProperty(base, mark, { value: true });
  const compose = (base as Composing).compose;
  (base as Composing).compose = function (this: unknown, ...interceptors) {
    const composed = compose.apply(this, interceptors);
    const original = composed.dispatch;
    const dispatch: Dispatch = (options, handler) => {
      const hook = scope[key];
      return hook === undefined ? original(options, handler) : hook.compose(original, options, handler);
    };
    return new Proxy(composed, {
      get: (target, name) => (name === "dispatch" ? dispatch : target[name as "dispatch"]),
    });
  };
  return isNew;
}

/** Makes the functions that undici exports capture the job of their caller, for dispatchers that queue requests. */
export function patchUndiciIndex(
  exports: { [name: string]: unknown },
  key: typeof outboundKey,
  mark: typeof patchedKey,
): void {
  const scope = globalThis as { [key]?: OutboundHook };
  type Call = (...args: unknown[]) => unknown;
  type Methods = { [name: string]: unknown } | undefined;
  if (Object.hasOwn(exports, mark)) return;
  Object.defineProperty(exports, mark, { value: true });
  const isPlain = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !(value instanceof URL);
  const methods = (exports["Dispatcher"] as { prototype?: Methods } | undefined)?.prototype;
  for (const name of ["request", "stream", "pipeline", "connect", "upgrade"]) {
    const top = exports[name];
    if (typeof top === "function") {
      exports[name] = function (...args: unknown[]) {
        const hook = scope[key];
        if (hook !== undefined) {
          if (isPlain(args[1])) args[1] = hook.options(args[1]);
          else if (isPlain(args[0])) args[0] = hook.options(args[0]);
          else if (args[1] === undefined || args[1] === null) args[1] = hook.options({});
          else if (typeof args[1] === "function") args.splice(1, 0, hook.options({}));
        }
        return (top as Call)(...args);
      };
    }
    const method = methods?.[name];
    if (methods !== undefined && typeof method === "function") {
      methods[name] = function (this: unknown, ...args: unknown[]) {
        const hook = scope[key];
        if (hook !== undefined && isPlain(args[0])) args[0] = hook.options(args[0]);
        return (method as Call).apply(this, args);
      };
    }
  }
  const fetch = exports["fetch"];
  if (typeof fetch !== "function") return;
  exports["fetch"] = function (input: unknown, init: unknown = undefined) {
    const hook = scope[key];
    if (hook === undefined) return (fetch as Call)(input, init);
    return hook.fetch(
      fetch as Parameters<OutboundHook["fetch"]>[0],
      input,
      init,
      exports["getGlobalDispatcher"] as () => unknown,
    );
  };
}
