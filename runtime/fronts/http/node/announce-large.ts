import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Length from which an answer counts in the budget of what waits for slow readers. Low, because a connection can have
 * some thousand requests in one packet, and Node keeps the answers behind the first where nobody sees them.
 */
export const large = 4096;

/** Event of the server before a large answer is handed to its connection: the response, and the length. */
export const largeAnswer = "tenon:large-answer";

/** Announces a large answer. Streams write as their reader takes it, and need no announcement. */
export function announceLarge(response: ServerResponse, length: number): void {
  const socket = response.req.socket as Socket & { readonly server?: Server };
  socket.server?.emit(largeAnswer, response, length);
  // Requests that came in one packet with one that was cut still run. Node would keep their answers.
  if (socket.destroyed) response.destroy();
}
