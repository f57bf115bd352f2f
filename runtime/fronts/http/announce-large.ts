import type { ServerResponse } from "node:http";

/**
 * Length from which an answer counts in the budget of what waits for slow readers. Low, because a connection can have
 * some thousand requests in one packet, and Node keeps the answers behind the first where nobody sees them.
 */
const large = 4096;

/** Event of the server before a large answer is handed to its connection: the response, and the length. */
export const largeAnswer = "tenon:large-answer";

type End = (chunk?: unknown, encoding?: unknown, callback?: unknown) => ServerResponse;

/**
 * The class of responses for `createServer`. It announces large answers; a short one costs one comparison. Streams write
 * as their reader takes it, and need no announcement.
 */
export function announceLarge(
  Base: typeof ServerResponse,
  announce: (response: ServerResponse, length: number) => void,
): typeof ServerResponse {
  const end = Base.prototype.end as End;
  class Announcing extends Base {
    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      const { length = 0 } = (chunk ?? {}) as { readonly length?: number };
      if (length > large) {
        announce(this, length);
        // Requests that came in one packet with one that was cut still run. Node would keep their answers.
        if (this.req.socket.destroyed) {
          this.destroy();
          return this;
        }
      }
      end.call(this, chunk, encoding, callback);
      return this;
    }
  }
  return Announcing as typeof ServerResponse;
}
