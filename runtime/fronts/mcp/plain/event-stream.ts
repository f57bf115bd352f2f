import { faultCodes } from "../port/fault.ts";
import type { McpFault } from "../port/fault.ts";
import type { PlainRequest } from "./read-request.ts";

/** Milliseconds between heartbeats on a stream: proxies close a connection that is silent for a minute. */
export const heartbeat = 15_000;
/** Milliseconds after which an older client gets a stream for its call. */
export const patience = 1000;

/** Names and values alternate. */
export const eventStream: readonly string[] = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache, no-transform",
  "X-Accel-Buffering",
  "no",
];

/** Formats a message as an event. JSON has no line breaks. */
export function event(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

export const keepAlive = ": keepalive\n\n";

/** Errors of a message are answers with status 200; in the newest revision one of them has its own status. */
export function statusOf(fault: McpFault | undefined, era: PlainRequest["era"]): 200 | 400 {
  return fault?.code === faultCodes.missingCapability && era === "modern" ? 400 : 200;
}
