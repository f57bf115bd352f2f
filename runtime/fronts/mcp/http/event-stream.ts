/** Headers of an event stream: names and values alternate. */
export const eventStream: readonly string[] = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache, no-transform",
  "X-Accel-Buffering",
  "no",
];

/** Formats a message as an event. JSON has no line breaks. */
export function toEvent(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
