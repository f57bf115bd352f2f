import { dispatcherFacts, patchClassesOf } from "./dispatcher-facts.ts";
import { tagOptions } from "./dispatch-hook.ts";
import type { Dispatch, OutboundHook } from "../patches/hook.ts";
import { isLate, markLate } from "../patches/late-mark.ts";
import type { OutboundContext } from "./outbound-context.ts";
import { startChain, type Chain } from "../rules/redirect-chain.ts";

/**
 * The hook for `fetch` calls by author code: it captures the job and begins the chain of hops.
 *
 * @param wasLoaded A copy of undici was loaded before the rules.
 */
export function createFetchHook(context: OutboundContext, wasLoaded: boolean): Pick<OutboundHook, "fetch" | "options"> {
  const scope = globalThis as { [name: symbol]: unknown };
  let first: unknown;
  let second: unknown;
  let loaded = false;
  // Node's own undici is patched at run time, since it has no module that a build could transform, and the copy of
  // undici that was loaded first serves all copies.
  const patchGlobals = (late = false): void => {
    const one = scope[firstKey];
    const two = scope[secondKey];
    if (one === first && two === second) return;
    first = one;
    second = two;
    for (const dispatcher of [one, two]) {
      if (typeof dispatcher !== "object" || dispatcher === null) continue;
      for (const prototype of patchClassesOf(dispatcher)) if (late) markLate(prototype);
    }
  };
  // An existing dispatcher may have been composed with interceptors.
  if (wasLoaded) patchGlobals(true);
  // Cache of the global dispatcher that was last found to need no wrapper; nearly every call uses the same one.
  let plain: unknown;
  /**
   * Adds a wrapper to the call: an unknown dispatcher may queue requests and send them from a timer, where the job is
   * unknown, so the options of its requests contain their chain.
   */
  const withCarrier = (init: unknown, chain: Chain, fallback: () => unknown): unknown => {
    const given = (init as { dispatcher?: unknown } | null | undefined)?.dispatcher;
    if (isDispatcher(given)) return withDispatcher(init, carry(given, chain));
    const used = fallback();
    if (used === plain || !isDispatcher(used)) return init;
    if (dispatcherFacts(used).kind === "foreign" || isLate(used)) return withDispatcher(init, carry(used, chain));
    plain = used;
    return init;
  };
  return {
    options(options) {
      patchGlobals();
      return tagOptions(options, startChain(context.job()));
    },
    fetch(original, input, init, fallback = builtinDispatcher) {
      if (!loaded) {
        // Reading the global loads Node's undici, as the call itself would: it is a getter until its first use.
        void globalThis.Response;
        loaded = true;
      }
      patchGlobals();
      const chain = startChain(context.job());
      const options = withCarrier(init, chain, fallback);
      if (chain.job === undefined) return original(input, options);
      return context.runInChain(chain, original, input, options);
    },
  };
}

/** Keys under which copies of undici store their default dispatcher: before version 8 of undici, and since. */
const firstKey: symbol = Symbol.for("undici.globalDispatcher.1");
const secondKey: symbol = Symbol.for("undici.globalDispatcher.2");

/** True when a copy of undici is loaded. */
export function hasGlobalDispatcher(): boolean {
  const scope = globalThis as { [name: symbol]: unknown };
  return scope[firstKey] !== undefined || scope[secondKey] !== undefined;
}

function builtinDispatcher(): unknown {
  return (globalThis as { [name: symbol]: unknown })[builtinKey];
}

const builtinKey: symbol = Number.parseInt(process.versions["undici"] ?? "", 10) >= 8 ? secondKey : firstKey;

interface Dispatcher {
  readonly dispatch: Dispatch;
}

function carry(dispatcher: Dispatcher, chain: Chain): Dispatcher {
  const dispatch: Dispatch = (options, handler) =>
    dispatcher.dispatch(
      typeof options === "object" && options !== null ? tagOptions(options, chain) : options,
      handler,
    );
  return new Proxy(dispatcher, {
    get: (target, name) => (name === "dispatch" ? dispatch : target[name as "dispatch"]),
  });
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function";
}

function withDispatcher(init: unknown, dispatcher: Dispatcher): unknown {
  if (typeof init !== "object" || init === null) return init === undefined || init === null ? { dispatcher } : init;
  const prototype: unknown = Object.getPrototypeOf(init);
  if (prototype === Object.prototype || prototype === null) return { ...init, dispatcher };
  // A `Request` or another object with getters, which must be called on the object itself.
  return new Proxy(init, {
    get: (target, name) => (name === "dispatcher" ? dispatcher : (Reflect.get(target, name, target) as unknown)),
  });
}
