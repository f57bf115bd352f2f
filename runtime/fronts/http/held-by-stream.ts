import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Name of the server's event when a stream buffers more or less data for its reader. Arguments: the connection, and the
 * difference in bytes.
 */
export const streamHolds = "tenon:stream-holds";

/** Gets the number of bytes that a stream buffers now. */
export type Hold = (bytes: number) => void;

/**
 * Returns a function that counts the bytes which a stream buffers, as part of the budget for slow readers, until the
 * answer has ended. Undefined if the host is not a server of `node:http`.
 */
export function heldByStream(call: object): Hold | undefined {
  const response = call as Partial<Pick<ServerResponse, "req" | "once">>;
  const socket = response.req?.socket as (Socket & { readonly server?: NodeJS.EventEmitter }) | undefined;
  const server = socket?.server;
  if (server === undefined) return undefined;
  let held = 0;
  const tell: Hold = (bytes) => {
    const difference = bytes - held;
    held = bytes;
    if (difference !== 0) server.emit(streamHolds, socket, difference);
  };
  let isOver = false;
  response.once?.("close", () => {
    tell(0);
    isOver = true;
  });
  return (bytes) => {
    if (!isOver) tell(bytes);
  };
}
