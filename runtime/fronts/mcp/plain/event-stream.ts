import { faultCodes } from "../port/fault.ts";
import type { McpFault } from "../port/fault.ts";
import type { PlainRequest } from "./read-request.ts";

/** Milliseconds between signs of life on a stream: proxies cut what stays silent for a minute. */
export const heartbeat = 15_000;
/** An older client is shown a stream when its call takes longer than this, in milliseconds. */
export const patience = 1000;

/** Names and values in turn. */
export const eventStream: readonly string[] = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache, no-transform",
  "X-Accel-Buffering",
  "no",
];

/** A message as an event. JSON has no line ends. */
export function event(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

export const keepAlive = ": keepalive\n\n";

/** Errors of what a message asks for are answers; only one of them has a status of its own, in the newest revision. */
export function statusOf(fault: McpFault | undefined, era: PlainRequest["era"]): 200 | 400 {
  return fault?.code === faultCodes.missingCapability && era === "modern" ? 400 : 200;
}
