import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createAnswerQueue } from "../../../../../../runtime/fronts/http/node/answer-queue.ts";
import { writeAnswer } from "../../../../../../runtime/fronts/http/node/node-exchange.ts";
import { heldByStream } from "../../../../../../runtime/fronts/http/held-by-stream.ts";
import { watchReaders, type ReaderLimits } from "../../../../../../runtime/fronts/http/node/slow-readers.ts";

const megabyte = 1024 * 1024;
const large = Buffer.alloc(20 * megabyte, "x");
const lines: string[] = [];
const sockets = new Set<Socket>();
let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  lines.length = 0;
  sockets.clear();
  server?.closeAllConnections();
  server?.close();
});

async function open(listener: RequestListener, limits: Partial<ReaderLimits>): Promise<number> {
  const made: Server = createServer((incoming, response) => {
    if (!defer(incoming, response, listener)) listener(incoming, response);
  });
  server = made;
  made.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const all = { write: 60_000, waiting: 1000 * megabyte, ...limits };
  const defer = watchReaders(made, sockets, all, (line) => lines.push(line));
  made.listen(0, "127.0.0.1");
  await once(made, "listening");
  return (made.address() as AddressInfo).port;
}

function end(response: ServerResponse, body: Buffer): void {
  writeAnswer(response, { status: 200, headers: [], body });
}

const request = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";

async function get(port: number, requests = 1): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(request.repeat(requests));
  return socket;
}

test("a reader that takes nothing of its answer is cut", async () => {
  const port = await open((_, response) => end(response, large), { write: 200 });
  const closed: Promise<unknown>[] = [];
  server?.on("connection", (socket) => closed.push(once(socket, "close")));
  await Promise.all([get(port), get(port), get(port)]);
  await expect.poll(() => closed.length).toBe(3);
  await Promise.all(closed);
});

test("a reader that goes on reading gets all of its answer, though it takes longer than the limit", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const answer = Buffer.alloc(240 * megabyte, "x");
  const port = await open((_, response) => end(response, answer), { write: 200 });
  const reader = await get(port);
  let size = 0;
  let told = 0;
  const whole = Promise.withResolvers<void>();
  reader.once("close", () => whole.reject(new Error(`The reader was cut after ${size} bytes.`)));
  reader.on("data", (chunk) => {
    size += chunk.length;
    if (size > answer.length) whole.resolve();
    // Twice of what Linux holds between both ends (38 MB), so that the server has passed some on in the meantime.
    if (size - told < 76 * megabyte) return;
    told = size;
    vi.advanceTimersByTime(150);
  });
  // `expect.poll` would move the clock, so that a busy machine would cut the reader.
  await whole.promise;
  expect(sockets.size).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(sockets.size).toBe(1);
  reader.destroy();
});

test("an answer that waits for its tool is not cut, however long", async () => {
  let answer = (): void => {};
  const port = await open((_, response) => (answer = () => response.end("late")), { write: 50 });
  const socket = await get(port);
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  answer();
  await expect.poll(() => text).toContain("late");
  socket.destroy();
});

test("a reader that takes a byte now and then is cut like one that takes none", async () => {
  const port = await open((_, response) => end(response, large), { write: 400 });
  const socket = await get(port);
  socket.pause();
  const trickle = setInterval(() => socket.read(1), 10);
  const [ofServer] = sockets;
  if (ofServer !== undefined) await once(ofServer, "close");
  clearInterval(trickle);
  await expect.poll(() => sockets.size).toBe(0);
  socket.destroy();
});

test("a request waits while its answer does not fit beside those that wait for their readers", async () => {
  let made = 0;
  const port = await open((_, response) => void (made++, end(response, large)), { waiting: 70 * megabyte });
  const readers: Socket[] = [];
  for (let index = 0; index < 10; index++) readers.push(await get(port));
  await expect.poll(() => made).toBe(3);
  // Each that is read, or left, makes room for another one.
  let whole = 0;
  for (const reader of readers) {
    let size = 0;
    reader.on("data", (chunk) => {
      size += chunk.length;
      if (size > large.length) whole++;
    });
  }
  await expect.poll(() => whole).toBeGreaterThanOrEqual(10);
  expect(made).toBe(10);
  expect(lines).toEqual([]);
  for (const reader of readers) reader.destroy();
});

test("who does not read is cut when others wait for the memory; small answers do not wait", async () => {
  const listener: RequestListener = ({ url }, response) =>
    url === "/" ? end(response, large) : response.end("small answer");
  const port = await open(listener, { waiting: 30 * megabyte, write: 1000 });
  const idle = await get(port);
  await expect.poll(() => sockets.size).toBe(1);
  const waiting = await get(port);
  let size = 0;
  waiting.on("data", (chunk) => (size += chunk.length));
  const small = await get(port, 0);
  let text = "";
  small.on("data", (chunk) => (text += String(chunk)));
  small.write("GET /small HTTP/1.1\r\nHost: here\r\n\r\n");
  await expect.poll(() => text).toContain("small answer");
  expect(size).toBe(0);
  await expect.poll(() => size).toBeGreaterThan(large.length);
  expect(lines).toEqual([
    `Connections of slow readers were cut: more than ${30 * megabyte} bytes of answers waited for them (TENON_WRITE_BUFFER).`,
  ]);
  for (const socket of [idle, waiting, small]) socket.destroy();
});

test("a request that waits for too long is refused", async () => {
  const queue = createAnswerQueue(() => 1, megabyte);
  const made = createServer((incoming, response) => {
    queue.learn(response, large.length);
    if (queue.defer(incoming, response, () => {})) queue.refuse(performance.now() + 1);
  });
  server = made;
  made.listen(0, "127.0.0.1");
  await once(made, "listening");
  const socket = await get((made.address() as AddressInfo).port);
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  await expect.poll(() => text).toContain("Too many large answers wait for clients that read slowly.");
  expect(text).toMatch(/^HTTP\/1.1 503 [^]*Retry-After: 5/);
  expect(queue.length).toBe(0);
  socket.destroy();
});

test("answers that nobody expected to be large are bounded at twice the budget: the slowest are cut", async () => {
  const answers: (() => void)[] = [];
  const port = await open((_, response) => void answers.push(() => end(response, large)), { waiting: 35 * megabyte });
  const idle: Socket[] = [];
  for (let index = 0; index < 10; index++) idle.push(await get(port));
  await expect.poll(() => answers.length).toBe(10);
  for (const answer of answers) answer();
  await expect.poll(() => sockets.size).toBe(3);
  expect(lines.length).toBe(1);
  for (const socket of idle) socket.destroy();
});

test("answers to requests that were sent at once on one connection count together", async () => {
  let made = 0;
  const port = await open((_, response) => void (made++, end(response, large)), { waiting: 70 * megabyte });
  const socket = await get(port, 20);
  await expect.poll(() => made).toBe(3);
  let size = 0;
  socket.on("data", (chunk) => (size += chunk.length));
  await expect.poll(() => size).toBeGreaterThan(20 * large.length);
  expect(lines).toEqual([]);
  socket.destroy();
  // An answer that was read, or whose client left, is not counted any more.
  const others = await Promise.all([get(port), get(port), get(port)]);
  await expect.poll(() => made).toBe(23);
  for (const other of others) other.destroy();
});

test("small answers that nobody reads count as well", async () => {
  const small = Buffer.alloc(60 * 1024, "x");
  const port = await open((_, response) => end(response, small), { write: 400, waiting: megabyte });
  const socket = await get(port, 200);
  await expect.poll(() => lines.length).toBe(1);
  await expect.poll(() => sockets.size).toBe(0);
  socket.destroy();
});

test("bytes that streams hold for their readers count in the same budget, until they are read or over", async () => {
  const holds: ((bytes: number) => void)[] = [];
  const ends: (() => void)[] = [];
  const listener: RequestListener = (_, response) => {
    const hold = heldByStream(response);
    if (hold !== undefined) holds.push(hold);
    ends.push(() => response.end("end"));
  };
  const port = await open(listener, { waiting: 5 * megabyte });
  const readers: Socket[] = [];
  for (let index = 0; index < 4; index++) {
    readers.push(await get(port));
    await expect.poll(() => holds.length).toBe(index + 1);
  }
  const [first, second, third, fourth] = holds;
  first?.(4 * megabyte);
  second?.(4 * megabyte);
  // It has read, and another one is over.
  first?.(megabyte);
  ends[1]?.();
  await once(readers[1] as Socket, "data");
  third?.(4 * megabyte);
  expect(sockets.size).toBe(4);
  fourth?.(4 * megabyte);
  expect(lines).toEqual([]);
  fourth?.(6 * megabyte);
  await expect.poll(() => lines.length).toBe(1);
  await expect.poll(() => sockets.size).toBeLessThan(4);
  for (const socket of readers) socket.destroy();
});
