import type * as Hooks from "node:async_hooks";

const hooks = process.getBuiltinModule("node:async_hooks");

// Node would read an import of this module export by export, at every start.
export const AsyncLocalStorage: typeof Hooks.AsyncLocalStorage = hooks.AsyncLocalStorage;
export type AsyncLocalStorage<T> = Hooks.AsyncLocalStorage<T>;
export const AsyncResource: typeof Hooks.AsyncResource = hooks.AsyncResource;
