import type { Rate } from "../../../service/config/read-settings.ts";
import type { Gate } from "../exchange.ts";

/** Combines the rate limit of a service with the check of tokens, if there is one. */
export type Limit = (gate: Gate | undefined) => Gate;

/**
 * Opens the configured limit; few services have one. Its counts survive reloads.
 *
 * @param open Paths that the limit does not count
 */
export async function openLimit(rate: Rate | undefined, open: ReadonlySet<string>): Promise<Limit | undefined> {
  if (rate === undefined) return undefined;
  const { createRateLimit, limitedGate } = await import("./rate-limit.ts");
  const limit = createRateLimit(rate);
  return (gate) => limitedGate(limit, gate, open);
}
