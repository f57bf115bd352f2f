import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Minimum length of an answer that counts in the budget for slow readers. The value is low because one packet can
 * contain some thousand requests, and Node buffers their answers, except the first one, without counting them.
 */
export const large = 4096;

/**
 * Name of the server's event before a large answer is passed to its connection. Arguments: the response, and the
 * answer's length in bytes.
 */
export const largeAnswer = "tenon:large-answer";

/** Announces a large answer. Streams need no announcement, since they write only as fast as their reader reads. */
export function announceLarge(response: ServerResponse, length: number): void {
  const socket = response.req.socket as Socket & { readonly server?: Server };
  socket.server?.emit(largeAnswer, response, length);
  // The response is destroyed: requests that came in the same packet still run after their connection was cut, and Node
  // would buffer their answers.
  if (socket.destroyed) response.destroy();
}
