import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { largeAnswer } from "./announce-large.ts";
import { createAnswerQueue } from "./answer-queue.ts";
import type { Defer } from "./node-exchange.ts";
import { streamHolds } from "../held-by-stream.ts";

export interface ReaderLimits {
  /** Milliseconds in which a client must take `leastRate` of what waits for it. */
  readonly write: number;
  /** Bytes that may wait for all clients together. */
  readonly waiting: number;
}

/** Bytes per second below which nobody reads: a client that takes a byte now and then holds its answer for days. */
const leastRate = 240;
/**
 * The same while others wait for the memory. Linux takes from us in steps of 1.4 MB, every 22 s for a client that reads
 * 64 kB a second: in the 30 s of the default limit each such client has had its step.
 */
const leastUnderPressure = 16 * 1024;
/** Milliseconds between two looks at all connections, at most. */
const longestRound = 1000;
/** Milliseconds between two measurements of readers while large answers are sent. */
const shortestRound = 200;
/** Milliseconds in which cutting slow readers is told once. */
const quiet = 60_000;

interface Reader {
  /** When it was first seen. */
  readonly began: number;
  /** Bytes of large answers and of streams that wait for it. */
  held: number;
  /** Bytes that the system had taken at the last measurement, and the time of it. */
  taken: number;
  at: number;
  /** The same when it last took as much as it must. */
  tookEnough: number;
  since: number;
}

/**
 * Bounds what waits for clients that do not read. Requests for large answers wait while the budget is used up, and
 * meanwhile clients are cut that take less than `leastUnderPressure` for the time limit; without pressure, less than
 * `leastRate`. Streams, and tools whose size nobody knew, can use more: beyond twice the budget the slowest are cut at
 * once. Looks at all connections now and then, and when a large answer is sent; a short one costs nothing.
 *
 * @param sockets The open connections of `server`.
 * @param warn Takes a line for the log.
 * @returns Holds back the requests that have to wait
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
  /** Bytes beyond which nobody's time limit is waited for. */
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
  /** Cuts who would need longest for what waits, until `excess` bytes fewer wait. */
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
      // Nobody knows yet how newcomers read. They come last, the oldest of them first.
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
    // Data written to it is dropped, and its `close` may be over.
    if (socket.destroyed) return;
    const reader = readerOf(socket);
    hold(reader, length);
    response.once("close", () => {
      // Forgotten together with its connection.
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
    // While this process did not run, nobody could read.
    if (late > interval) for (const reader of readers.values()) reader.since += late;
    const isPressed = queue.length > 0 || held > waiting;
    const least = isPressed ? leastUnderPressure : leastRate;
    let total = 0;
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        // Nothing waits: the next answer has the whole time.
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
    // Those that do not read have been cut by then, so that only who reads is in the way.
    queue.refuse(now - 2 * write);
    measure(now);
  };
  const rounds = setInterval(round, interval).unref();
  server.once("close", () => clearInterval(rounds));
  return queue.defer;
}

/** Bytes of a connection that the system has taken; it takes more as the client reads. */
function takenBy(socket: Socket): number {
  // Public counters include what still waits in libuv. Without its own, only a write as a whole counts.
  const { _handle: handle } = socket as {
    readonly _handle?: Partial<Record<"bytesWritten" | "writeQueueSize", number>>;
  };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  if (bytesWritten === undefined || writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength;
  return bytesWritten - writeQueueSize;
}
