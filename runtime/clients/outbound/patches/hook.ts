import type { ClientRequest } from "node:http";

/** undici's `dispatch`, as the instance or the prototype has it. */
export type Dispatch = (options: unknown, handler: unknown) => unknown;

type Fetch = (input: unknown, init?: unknown) => Promise<unknown>;

/**
 * What patched clients ask, at `globalThis[Symbol.for("tenon.outbound")]`. Until it is there they do what they always
 * do, so author modules may run before the runtime starts. Written into bundles by the build plugin: an old bundle must
 * find what it knows, so members are added, never changed.
 */
export interface OutboundHook {
  /** Every `DispatcherBase.prototype.dispatch` and `ProxyAgent.prototype.dispatch` of undici. */
  readonly dispatch: (dispatcher: object, original: Dispatch, options: unknown, handler: unknown) => unknown;
  /** `dispatch` of what `compose()` gives. */
  readonly compose: (original: Dispatch, options: unknown, handler: unknown) => unknown;
  /** Options of undici's `request`, `stream`, `pipeline`, `connect` and `upgrade`, with the job in them. */
  readonly options: (options: object) => object;
  /** `fetch`, of Node or of a copy of undici. `fallback` gives the dispatcher that the call uses without one of its own. */
  readonly fetch: (original: Fetch, input: unknown, init: unknown, fallback?: () => unknown) => Promise<unknown>;
  /** `request` and `ClientRequest` of `node:http` and `node:https`; `send` makes the request from arguments. */
  readonly http: (
    protocol: "http:" | "https:",
    args: readonly unknown[],
    send: (args: readonly unknown[]) => ClientRequest,
  ) => ClientRequest;
}
