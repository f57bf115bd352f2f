import { EventEmitter } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamHolds } from "../../../../../../runtime/fronts/http/held-by-stream.ts";
import { largeAnswer } from "../../../../../../runtime/fronts/http/node/announce-large.ts";
import { watchReaders } from "../../../../../../runtime/fronts/http/node/slow-readers.ts";

/** Of the rounds, for a time limit of four seconds. */
const interval = 1000;
const state = { now: 0 };

beforeEach(() => {
  state.now = 0;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.spyOn(performance, "now").mockImplementation(() => state.now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A connection that holds bytes, of which the system takes what the test says. */
function connection(writableLength: number) {
  const counters = { bytesWritten: 0, writeQueueSize: 0 };
  const socket = Object.assign(new EventEmitter(), {
    _handle: counters,
    writableLength,
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      socket.emit("close");
    },
  });
  return { socket, take: (bytes: number) => (counters.bytesWritten += bytes) };
}

/** Watches the connections, and makes rounds at the times that the test says. */
function watched(...connections: readonly ReturnType<typeof connection>[]) {
  return opened(1e9, ...connections).round;
}

/** The same with a budget; also gives the server, the lines of the log and what defers requests. */
function opened(waiting: number, ...connections: readonly ReturnType<typeof connection>[]) {
  const sockets = new Set(connections.map(({ socket }) => socket as unknown as Socket));
  for (const socket of sockets) socket.once("close", () => sockets.delete(socket));
  const lines: string[] = [];
  const server = new EventEmitter();
  const defer = watchReaders(server as unknown as Server, sockets, { write: 4000, waiting }, (line) =>
    lines.push(line),
  );
  const round = (at: number): void => {
    state.now = at;
    vi.advanceTimersByTime(interval);
  };
  return { server, lines, defer, round };
}

test("who takes less than 240 bytes a second is cut at the end of the time limit", () => {
  const [slow, steady] = [connection(5000), connection(5000)];
  const round = watched(slow, steady);
  round(1000);
  slow.take(959);
  steady.take(960);
  for (const at of [2000, 3000, 4000]) round(at);
  expect([slow.socket.destroyed, steady.socket.destroyed]).toEqual([false, false]);
  round(5000);
  expect([slow.socket.destroyed, steady.socket.destroyed]).toEqual([true, false]);
  // Its time began anew when it took enough.
  round(6000);
  expect(steady.socket.destroyed).toBe(true);
});

test("while memory is short, who takes less than 16 kB a second is cut", () => {
  const [slow, steady] = [connection(700), connection(700)];
  const { server, lines, round } = opened(1000, slow, steady);
  for (const { socket } of [slow, steady]) server.emit(streamHolds, socket, 700);
  round(1000);
  slow.take(64 * 1024 - 1);
  steady.take(64 * 1024);
  for (const at of [2000, 3000]) round(at);
  expect([slow.socket.destroyed, steady.socket.destroyed, lines.length]).toEqual([false, false, 0]);
  round(4000);
  expect([slow.socket.destroyed, steady.socket.destroyed, lines.length]).toEqual([true, false, 1]);
});

test("who has nothing to read has the whole time for the next answer", () => {
  const { socket } = connection(5000);
  const round = watched({ socket, take: () => 0 });
  round(1000);
  socket.writableLength = 0;
  for (const at of [2000, 3000, 4000]) round(at);
  socket.writableLength = 5000;
  for (const at of [5000, 6000, 7000]) round(at);
  expect(socket.destroyed).toBe(false);
  round(8000);
  expect(socket.destroyed).toBe(true);
});

test("the time in which the process did not run counts for nobody, a round that comes a little late does", () => {
  const { socket } = connection(5000);
  const round = watched({ socket, take: () => 0 });
  round(1000);
  round(2900);
  round(62_900);
  round(63_900);
  expect(socket.destroyed).toBe(false);
  round(64_000);
  expect(socket.destroyed).toBe(true);
});

test("twice the budget may wait, a byte more is cut", () => {
  const [one, other] = [connection(1000), connection(1000)];
  const { round, lines } = opened(1000, one, other);
  round(1000);
  expect([one.socket.destroyed, other.socket.destroyed, lines.length]).toEqual([false, false, 0]);
  one.socket.writableLength = 1001;
  round(2000);
  expect([one.socket.destroyed, other.socket.destroyed, lines.length]).toEqual([true, false, 1]);
});

test("who takes nothing now is cut before who takes something, however much it took before", () => {
  const [idle, reading] = [connection(1000), connection(1000)];
  idle.take(1_000_000);
  const { round } = opened(1000, idle, reading);
  round(1000);
  idle.socket.writableLength = 1001;
  reading.take(10_000);
  round(2000);
  expect([idle.socket.destroyed, reading.socket.destroyed]).toEqual([true, false]);
});

test.each([
  [299, [true, false]],
  [300, [false, true]],
])("who has been there for less than 200 ms is cut last, at %i ms of one that came at 100", (at, expected) => {
  const [reading, idle, third] = [connection(0), connection(0), connection(0)];
  const { server } = opened(1000, reading, idle, third);
  server.emit(streamHolds, reading.socket, 700);
  state.now = 100;
  server.emit(streamHolds, idle.socket, 700);
  reading.take(700_000);
  state.now = at;
  server.emit(streamHolds, third.socket, 700);
  expect([reading.socket.destroyed, idle.socket.destroyed]).toEqual(expected);
});

test("what waited for a client that has left takes no memory from others", () => {
  const [gone, other] = [connection(0), connection(0)];
  const { server, lines } = opened(1000, gone, other);
  server.emit(streamHolds, gone.socket, 1500);
  gone.socket.destroy();
  server.emit(streamHolds, other.socket, 1500);
  expect([other.socket.destroyed, lines.length]).toEqual([false, 0]);
});

test("a request that waits for the memory of others is refused after twice the time limit", () => {
  const { socket } = connection(5000);
  const { server, defer, round } = opened(100_000, { socket, take: () => 0 });
  const request = { url: "/large", socket };
  const answer = (): ServerResponse & { readonly statuses: readonly number[] } => {
    const statuses: number[] = [];
    const written = { writeHead: (status: number) => statuses.push(status), end: () => {} };
    return Object.assign(new EventEmitter(), { req: request, statuses, ...written }) as never;
  };
  // One answer waits for its reader, who reads fast enough, so that the next request waits.
  server.emit(largeAnswer, answer(), 90_000);
  const waiting = answer();
  expect(defer(request as never, waiting, () => {})).toBe(true);
  for (let at = 1000; at <= 8000; at += 1000) {
    socket._handle.bytesWritten += 100_000;
    round(at);
  }
  expect(waiting.statuses).toEqual([]);
  socket._handle.bytesWritten += 100_000;
  round(9000);
  expect(waiting.statuses).toEqual([503]);
});

test("cut readers are said once a minute", () => {
  const readers = [2000, 61_999, 62_000].map((at) => ({ at, ...connection(0) }));
  const { round, lines } = opened(1000, ...readers);
  const counts = readers.map(({ at, socket }) => {
    socket.writableLength = 2001;
    round(at);
    return lines.length;
  });
  expect(counts).toEqual([1, 1, 2]);
});
