import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Event of the server when a stream holds more or less for its reader: the connection, and the difference in bytes. */
export const streamHolds = "tenon:stream-holds";

/** Tells how many bytes a stream holds now. */
export type Hold = (bytes: number) => void;

/**
 * Counts what a stream holds for the reader of a response in the budget of slow readers, until the response is over.
 * Undefined where the host is not a server of `node:http`.
 */
export function heldByStream(response: ServerResponse | undefined): Hold | undefined {
  const socket = response?.req?.socket as (Socket & { readonly server?: NodeJS.EventEmitter }) | undefined;
  const server = socket?.server;
  if (response === undefined || server === undefined) return undefined;
  let held = 0;
  const tell: Hold = (bytes) => {
    const difference = bytes - held;
    held = bytes;
    if (difference !== 0) server.emit(streamHolds, socket, difference);
  };
  let isOver = false;
  response.once("close", () => {
    tell(0);
    isOver = true;
  });
  return (bytes) => {
    if (!isOver) tell(bytes);
  };
}
