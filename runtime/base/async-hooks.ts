import type * as Hooks from "node:async_hooks";

const hooks = process.getBuiltinModule("node:async_hooks");

// As an import it would be read export by export, at every start.
export const AsyncLocalStorage: typeof Hooks.AsyncLocalStorage = hooks.AsyncLocalStorage;
export type AsyncLocalStorage<T> = Hooks.AsyncLocalStorage<T>;
export const AsyncResource: typeof Hooks.AsyncResource = hooks.AsyncResource;
