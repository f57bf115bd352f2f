import type { MessageId } from "../port/fault.ts";

// A message is put together as text: its head with the id, and its tail, which may have been made long before.

/** The start of an answer. */
export function answerHead(id: Exclude<MessageId, null>): string {
  return `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)}`;
}

/** The rest of it, with a result. */
export function resultTail(json: string): string {
  return `,"result":${json}}`;
}

/** The rest of it, with an error. */
export function errorTail(error: { readonly code: number; readonly message: string; readonly data?: unknown }): string {
  return `,"error":${JSON.stringify(error)}}`;
}
