import type { Rate } from "../../service/config/config.ts";
import type { Gate } from "./gate.ts";

/** Puts the limit of a service in front of its gate, if it has one. */
export type Limit = (gate: Gate | undefined) => Gate;

/**
 * The limit that the configuration asks for; few services have one. It counts for as long as the process runs, whatever
 * it serves.
 *
 * @param open Paths that are not counted
 */
export async function openLimit(rate: Rate | undefined, open: ReadonlySet<string>): Promise<Limit | undefined> {
  if (rate === undefined) return undefined;
  const { createRateLimit, limitedGate } = await import("./rate-limit.ts");
  const limit = createRateLimit(rate);
  return (gate) => limitedGate(limit, gate, open);
}
