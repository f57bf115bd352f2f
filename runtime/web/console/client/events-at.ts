import type { JobEvent } from "./backend.ts";
import type { Client } from "./client.ts";

/** Follows the events of a job; the MCP view follows none. */
export async function* eventsAt(
  client: Client,
  path: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<JobEvent, void, undefined> {
  const { followEvents } = await import("./follow-events.ts");
  yield* followEvents(client, path, after, signal);
}
