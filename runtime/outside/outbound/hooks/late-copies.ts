import { AsyncResource } from "../../../base/async-hooks.ts";
import { currentChain, type OutboundContext } from "./outbound-context.ts";
import { startChain, type Chain } from "../rules/redirect-chain.ts";
import { tellUnseen } from "./watch-unseen.ts";

/**
 * Returns the chain for a request that has none, to a class that was patched after its first use. The request's job is
 * certain only if the handler keeps its own context. Other requests may come from a retry or a queue, in the context of
 * another job, so they are assigned to no job.
 */
export function lateChain(context: OutboundContext, handler: unknown): Chain {
  if (handler instanceof AsyncResource) return handler.runInAsyncScope(currentChain, undefined, context);
  if (context.job() !== undefined) tellUnseen(context, "composed");
  return startChain(undefined);
}
