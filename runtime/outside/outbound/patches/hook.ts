import type { ClientRequest } from "node:http";

/** undici's `dispatch`, of an instance or a prototype. */
export type Dispatch = (options: unknown, handler: unknown) => unknown;

type Fetch = (input: unknown, init?: unknown) => Promise<unknown>;

/**
 * Interface that patched clients call, at `globalThis[outboundKey]`. Without it they behave as usual,
 * so author modules may run before the runtime starts. The build plugin writes these calls into bundles. Old bundles
 * must keep working, so members are only added, never changed.
 */
export interface OutboundHook {
  /** Every `DispatcherBase.prototype.dispatch` and `ProxyAgent.prototype.dispatch` of undici. */
  readonly dispatch: (dispatcher: object, original: Dispatch, options: unknown, handler: unknown) => unknown;
  /** The `dispatch` function of a dispatcher that `compose()` has made. */
  readonly compose: (original: Dispatch, options: unknown, handler: unknown) => unknown;
  /** Adds the job to the options of undici's `request`, `stream`, `pipeline`, `connect` and `upgrade`. */
  readonly options: (options: object) => object;
  /** `fetch` of Node or of a copy of undici. `fallback` returns the default dispatcher of the call. */
  readonly fetch: (original: Fetch, input: unknown, init: unknown, fallback?: () => unknown) => Promise<unknown>;
  /** `request` and `ClientRequest` of `node:http` and `node:https`; `send` makes the request from its arguments. */
  readonly http: (
    protocol: "http:" | "https:",
    args: readonly unknown[],
    send: (args: readonly unknown[]) => ClientRequest,
  ) => ClientRequest;
}
