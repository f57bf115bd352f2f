import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { largeAnswer } from "./announce-large.ts";
import { createAnswerQueue } from "./answer-queue.ts";
import type { Defer } from "./node-exchange.ts";
import { streamHolds } from "../held-by-stream.ts";

export interface ReaderLimits {
  /** Milliseconds within which a client must read at `leastRate` while data waits for it. */
  readonly write: number;
  /** Maximum bytes that wait for all clients together. */
  readonly waiting: number;
}

/**
 * Bytes per second below which a client counts as not reading: with a byte now and then it could hold its answer for
 * days.
 */
const leastRate = 240;
/**
 * Minimum bytes per second while other requests wait for memory. Linux accepts data from a process in steps of 1.4 MB,
 * every 22 s for a client that reads 64 kB a second: within the 30 s of the default limit, each such client has had a
 * step.
 */
const leastUnderPressure = 16 * 1024;
/** Maximum milliseconds between two checks of all connections. */
const longestRound = 1000;
/** Milliseconds between two measurements of readers while large answers are sent. */
const shortestRound = 200;
/** Milliseconds during which cut slow readers are logged once. */
const quiet = 60_000;

interface Reader {
  /** Time at which the connection was first seen. */
  readonly began: number;
  /** Bytes of large answers and of streams that wait for this reader. */
  held: number;
  /** Bytes that the system had accepted at the last measurement, and the time of that. */
  taken: number;
  at: number;
  /** Bytes and time when the reader last met the minimum rate. */
  tookEnough: number;
  since: number;
}

/**
 * Limits the memory for answers that clients do not read. While the budget is used up, requests with large answers
 * wait, and clients are cut that read slower than `leastUnderPressure` for the time limit; without pressure, clients
 * slower than `leastRate`. Streams, and answers of unknown size, can exceed the budget: beyond twice the budget, the
 * slowest clients are cut at once. All connections are checked periodically, and when a large answer is sent; short
 * answers cost nothing.
 *
 * @param sockets The open connections of `server`.
 * @param warn Logs a line.
 * @returns A function that defers requests
 */
export function watchReaders(
  server: Server,
  sockets: ReadonlySet<Socket>,
  { write, waiting }: ReaderLimits,
  warn: (line: string) => void,
): Defer {
  const readers = new Map<Socket, Reader>();
  let held = 0;
  const queue = createAnswerQueue(() => held, waiting);
  let told = -quiet;
  let measured = -shortestRound;
  /** Bytes from which on clients are cut without waiting for their time limit. */
  const most = 2 * waiting;

  const readerOf = (socket: Socket): Reader => {
    let reader = readers.get(socket);
    if (reader === undefined) {
      const [taken, at] = [takenBy(socket), performance.now()];
      readers.set(socket, (reader = { began: at, held: 0, taken, at, tookEnough: taken, since: at }));
      socket.once("close", () => forget(socket));
    }
    return reader;
  };
  const forget = (socket: Socket): void => {
    held -= readers.get(socket)?.held ?? 0;
    readers.delete(socket);
    queue.goOn();
  };
  const cut = (socket: Socket): void => {
    forget(socket);
    socket.destroy();
  };
  const measure = (now: number): void => {
    measured = now;
    for (const [socket, reader] of readers) {
      reader.taken = takenBy(socket);
      reader.at = now;
    }
  };
  /** Cuts the clients that would need longest to read their data, until `excess` bytes fewer wait. */
  const cutSlowest = (excess: number, sizeOf: (socket: Socket, reader: Reader) => number): void => {
    const now = performance.now();
    const rate = (socket: Socket, { taken, at }: Reader): number => (takenBy(socket) - taken) / Math.max(1, now - at);
    const slowest = [...readers]
      .map(([socket, reader]) => ({
        socket,
        size: sizeOf(socket, reader),
        rate: rate(socket, reader),
        isNew: now - reader.began < shortestRound,
      }))
      // The speed of new clients is unknown. They are cut last, the oldest of them first.
      .map((one) => ({ ...one, time: one.isNew ? 0 : one.size / (one.rate + 1) }))
      .toSorted((one, other) => other.time - one.time);
    let left = excess;
    for (const { socket, size } of slowest) {
      if (left <= 0) break;
      left -= size;
      cut(socket);
    }
    tellCut();
  };
  const tellCut = (): void => {
    const now = performance.now();
    if (now - told < quiet) return;
    told = now;
    warn(
      `Connections of slow readers were cut: more than ${waiting} bytes of answers waited for them (TENON_WRITE_BUFFER).`,
    );
  };

  const hold = (reader: Reader, bytes: number): void => {
    reader.held += bytes;
    held += bytes;
    if (bytes < 0) {
      queue.goOn();
      return;
    }
    if (held > most) cutSlowest(held - most, (_, { held: own }) => own);
    const now = performance.now();
    if (held > waiting / 2 && now - measured >= shortestRound) measure(now);
  };

  server.on(largeAnswer, (response: ServerResponse, length: number) => {
    const { socket } = response.req;
    queue.learn(response, length);
    // Data written to a destroyed socket is dropped, and its `close` event may have passed.
    if (socket.destroyed) return;
    const reader = readerOf(socket);
    hold(reader, length);
    response.once("close", () => {
      // Skipped if the connection has been closed, since its bytes were removed with it.
      if (readers.get(socket) === reader) hold(reader, -length);
    });
  });
  server.on(streamHolds, (socket: Socket, difference: number) => {
    if (difference > 0 && !socket.destroyed) hold(readerOf(socket), difference);
    const known = difference < 0 ? readers.get(socket) : undefined;
    if (known !== undefined) hold(known, Math.max(difference, -known.held));
  });

  const interval = Math.min(longestRound, write / 4);
  let lastRound = performance.now();
  const round = (): void => {
    const now = performance.now();
    const late = now - lastRound - interval;
    lastRound = now;
    // While this process was blocked, clients could not read: their time limits are extended.
    if (late > interval) for (const reader of readers.values()) reader.since += late;
    const isPressed = queue.length > 0 || held > waiting;
    const least = isPressed ? leastUnderPressure : leastRate;
    let total = 0;
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        // No data waits: the time limit begins anew with the next answer.
        const idle = readers.get(socket);
        if (idle !== undefined) idle.since = now;
        continue;
      }
      total += socket.writableLength;
      const reader = readerOf(socket);
      const taken = takenBy(socket);
      if (taken - reader.tookEnough >= (least * write) / 1000) {
        reader.tookEnough = taken;
        reader.since = now;
      } else if (now - reader.since >= write) {
        cut(socket);
        if (isPressed) tellCut();
      }
    }
    if (total > most) cutSlowest(total - most, (socket) => socket.writableLength);
    // Clients that do not read have been cut by then, so that only readers remain in the way.
    queue.refuse(now - 2 * write);
    measure(now);
  };
  const rounds = setInterval(round, interval).unref();
  server.once("close", () => clearInterval(rounds));
  return queue.defer;
}

/** Bytes of a connection that the system has accepted; it accepts more as the client reads. */
function takenBy(socket: Socket): number {
  // Public counters include data that still waits in libuv. If the handle has no counter, only complete writes count.
  const { _handle: handle } = socket as {
    readonly _handle?: Partial<Record<"bytesWritten" | "writeQueueSize", number>>;
  };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  if (bytesWritten === undefined || writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength;
  return bytesWritten - writeQueueSize;
}
