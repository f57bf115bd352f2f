import { AsyncResource } from "../../../base/async-hooks.ts";
import { currentChain, type OutboundContext } from "./outbound-context.ts";
import { startChain, type Chain } from "../rules/redirect-chain.ts";
import { consequence } from "./watch-unseen.ts";

/**
 * Returns the chain for a request that has none, to a class that was patched after its first use. The request's job is
 * certain only if the handler keeps its own context. Other requests may come from a retry or a queue, in the context of
 * another job, so they are assigned to no job.
 */
export function lateChain(context: OutboundContext, handler: unknown): Chain {
  if (handler instanceof AsyncResource) return handler.runInAsyncScope(currentChain, undefined, context);
  if (context.job() !== undefined) {
    context.tell(
      "undici was loaded from outside of the bundle before the service started, and a dispatcher of it was composed by then: " +
        `${consequence} Let the bundler take the package into the bundle (with Rollup: \`plugins: [commonjs()]\` from @rollup/plugin-commonjs), or make the dispatcher within the tool.`,
    );
  }
  return startChain(undefined);
}
