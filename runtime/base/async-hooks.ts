import type * as Hooks from "node:async_hooks";

const hooks = process.getBuiltinModule("node:async_hooks");

// Imported by default: for named imports, Node would read each export of `node:async_hooks` at every start.
export const AsyncLocalStorage: typeof Hooks.AsyncLocalStorage = hooks.AsyncLocalStorage;
export type AsyncLocalStorage<T> = Hooks.AsyncLocalStorage<T>;
export const AsyncResource: typeof Hooks.AsyncResource = hooks.AsyncResource;
