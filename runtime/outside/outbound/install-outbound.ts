import { outboundKey } from "../../contract/process-keys.ts";
import type { OutboundJob } from "./rules/job-headers.ts";
import { createDispatchHook } from "./hooks/dispatch-hook.ts";
import { createFetchHook, hasGlobalDispatcher } from "./hooks/fetch-hook.ts";
import type { OutboundHook } from "./patches/hook.ts";
import { createHttpHook } from "./hooks/http-hook.ts";
import { createContext } from "./hooks/outbound-context.ts";
import type { OutboundPolicy } from "../../service/config/outbound-policy.ts";
import { prepareClients } from "./patches/prepare-clients.ts";
import { watchUnseen } from "./hooks/watch-unseen.ts";

export interface OutboundOptions {
  /** The job of the current async context, for example `() => currentJob.getStore()`. */
  readonly job: () => OutboundJob | undefined;
  readonly policy: OutboundPolicy;
  /** Receives warnings about clients whose requests are not covered; each comes once. */
  readonly warn?: (text: string) => void;
}

/**
 * Applies the outbound policy to the requests of jobs by `fetch`, every copy of undici, `node:http` and `node:https`,
 * and of all clients that are built on them. Acts once per thread. Outside a job nothing changes.
 *
 * @returns A function that removes the hook; the patches stay, and do nothing without it.
 */
export function installOutbound({ job, policy, warn }: OutboundOptions): () => void {
  const context = createContext(job, policy, warn);
  prepareClients();
  const wasLoaded = hasGlobalDispatcher();
  const removeHook = installHook(() => ({
    ...createDispatchHook(context),
    ...createFetchHook(context, wasLoaded),
    ...createHttpHook(context),
  }));
  // Classes that may already be used in a composition are marked now, before others are loaded.
  if (wasLoaded) Reflect.get(globalThis, outboundKey);
  const stopWatching = watchUnseen(context);
  return () => {
    stopWatching();
    removeHook();
  };
}

/**
 * Creates the hook with the first request, since most starts answer before there is one. Returns a function that
 * removes it.
 */
function installHook(make: () => OutboundHook): () => void {
  let hook: OutboundHook | undefined;
  const set = (property: PropertyDescriptor): unknown =>
    Object.defineProperty(globalThis, outboundKey, { ...property, configurable: true, enumerable: true });
  const get = (): OutboundHook => {
    hook = make();
    set({ value: hook, writable: true });
    return hook;
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, outboundKey);
  set({ get });
  return () => {
    const now = Object.getOwnPropertyDescriptor(globalThis, outboundKey);
    const isOurs = hook === undefined ? now?.get === get : now?.value === hook;
    if (isOurs) Object.defineProperty(globalThis, outboundKey, before ?? { value: undefined });
  };
}
