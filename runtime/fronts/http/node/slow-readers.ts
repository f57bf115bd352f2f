import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { largeAnswer } from "./announce-large.ts";
import { createAnswerQueue } from "./answer-queue.ts";
import type { Defer } from "./node-exchange.ts";
import { streamHolds } from "../held-by-stream.ts";

export interface ReaderLimits {
  /** Milliseconds within which a client must read at `leastRate` while data waits for it. */
  readonly write: number;
  /** Maximum bytes that wait for all clients together to read them. */
  readonly waiting: number;
}

/**
 * Bytes per second below which a client counts as not reading. Without a minimum rate, a client could hold its answer
 * for days by reading a byte now and then.
 */
const leastRate = 240;
/**
 * Minimum bytes per second while other requests wait for memory. Linux accepts data from a process in steps of 1.4 MB.
 * For a client that reads 64 kB per second, a step takes 22 s, which is within the 30 s of the default limit.
 */
const leastUnderPressure = 16 * 1024;
/** Maximum milliseconds between two checks of all connections. */
const longestRound = 1000;
/** Milliseconds between two measurements of readers while large answers are sent. */
const shortestRound = 200;
/** Milliseconds during which cut slow readers are logged once. */
const quiet = 60_000;

interface Reader {
  /** Time at which the connection was opened, as far as known. */
  readonly began: number;
  /** Bytes of large answers and of streams that wait for this reader. */
  held: number;
  /** Number of bytes that the system had accepted at the last measurement, and the time of that measurement. */
  taken: number;
  at: number;
  /** Number of bytes, and time, at which the reader last met the minimum rate. */
  tookEnough: number;
  since: number;
}

/**
 * Limits the memory for answers that clients do not read. While the budget is used up, requests with large answers
 * wait, and clients that read slower than `leastUnderPressure` for the time limit are cut; otherwise only clients
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
  /** Number of bytes above which clients are cut without waiting for their time limit. */
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
  /** Cuts the clients that would need longest to read their data, until at least `excess` bytes are freed. */
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
      // The speed of new clients is unknown, so they are cut last, beginning with the oldest.
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
      // The bytes are subtracted unless the connection has been closed: then they were removed with it.
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
    // The time limits are extended if this process was blocked, since clients could not read meanwhile.
    if (late > interval) for (const reader of readers.values()) reader.since += late;
    const isPressed = queue.length > 0 || held > waiting;
    const least = isPressed ? leastUnderPressure : leastRate;
    let total = 0;
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        // If no data waits, the time limit begins anew with the next answer.
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
    // Requests that have waited longer are refused: clients that do not read have been cut by now, so the remaining
    // clients do read.
    queue.refuse(now - 2 * write);
    measure(now);
  };
  const rounds = setInterval(round, interval).unref();
  server.once("close", () => clearInterval(rounds));
  return queue.defer;
}

/** Returns the bytes of a connection that the system has accepted, which grow as the client reads. */
function takenBy(socket: Socket): number {
  // Public counters include data that still waits in libuv, so the counter of the handle is used. If the handle has
  // none, only complete writes count.
  const { _handle: handle } = socket as {
    readonly _handle?: Partial<Record<"bytesWritten" | "writeQueueSize", number>>;
  };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  if (bytesWritten === undefined || writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength;
  return bytesWritten - writeQueueSize;
}
