import type { OutboundJob } from "./decide-request.ts";
import { createDispatchHook } from "./dispatch-hook.ts";
import { createFetchHook } from "./fetch-hook.ts";
import type { OutboundHook } from "./hook.ts";
import { createHttpHook } from "./http-hook.ts";
import { createContext } from "./outbound-context.ts";
import type { OutboundPolicy } from "./policy.ts";
import { prepareClients } from "./prepare-clients.ts";
import { watchUnseen } from "./watch-unseen.ts";

export interface OutboundOptions {
  /** The job of the current async context, for example `() => currentJob.getStore()`. */
  readonly job: () => OutboundJob | undefined;
  readonly policy: OutboundPolicy;
  /** Takes a warning about a client whose requests are not covered; each comes once. */
  readonly warn?: (text: string) => void;
}

/**
 * Makes outbound requests of jobs carry what the policy says: of `fetch`, every copy of undici, `node:http` and
 * `node:https`, and of all clients that are built on them. Once per thread. Outside a job nothing changes.
 *
 * @returns Puts back what was there before; the patches stay and then do nothing.
 */
export function installOutbound({ job, policy, warn }: OutboundOptions): () => void {
  const context = createContext(job, policy, warn);
  prepareClients();
  const hook: OutboundHook = {
    ...createDispatchHook(context),
    ...createFetchHook(context),
    ...createHttpHook(context),
  };
  const scope = globalThis as { [hookKey]?: OutboundHook | undefined };
  const before = scope[hookKey];
  scope[hookKey] = hook;
  const stopWatching = watchUnseen(context);
  return () => {
    stopWatching();
    if (scope[hookKey] === hook) scope[hookKey] = before;
  };
}

const hookKey: unique symbol = Symbol.for("tenon.outbound") as never;
