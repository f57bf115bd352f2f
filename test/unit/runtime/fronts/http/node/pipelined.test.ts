import { EventEmitter, once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createPipeline, type PipelineLimits } from "../../../../../../runtime/fronts/http/node/pipelined.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Held {
  readonly server: Server;
  readonly started: string[];
  readonly warnings: string[];
  /** Answers everything that runs, and from then on everything at once. */
  release(): void;
}

/** A server whose answers wait until they are released. Paths below `/now` are answered at once. */
async function holding(limits: PipelineLimits): Promise<Held> {
  const started: string[] = [];
  const warnings: string[] = [];
  let held: (() => void)[] | undefined = [];
  const pipeline = createPipeline((line) => warnings.push(line), limits);
  const server = createServer((request, response) => {
    const answer = (): void => {
      started.push(request.url ?? "");
      if (held === undefined || request.url?.startsWith("/now") === true) response.end(`${request.url}\n`);
      else held.push(() => response.end(`${request.url}\n`));
    };
    if (response.socket === null) pipeline(request, response, answer);
    else answer();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const release = (): void => {
    const all = held ?? [];
    held = undefined;
    for (const answer of all) answer();
  };
  return { server, started, warnings, release };
}

interface Client {
  readonly socket: Socket;
  /** Paths as they came back. */
  paths(): readonly string[];
}

function send(server: Server, paths: readonly string[]): Client {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
  closing.push(() => socket.destroy());
  return { socket, paths: () => text.match(/^\/\w+$/gm) ?? [] };
}

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `/${index}`);

test("runs so many of a connection, in order, and others in between", async () => {
  const { server, started, release, warnings } = await holding({ running: 4, waiting: 10_000 });
  const many = send(server, numbered(3000));
  await expect.poll(() => started.length).toBe(5);
  const other = send(server, ["/now1", "/now2"]);
  await expect.poll(() => other.paths()).toEqual(["/now1", "/now2"]);
  expect(started).toEqual([...numbered(5), "/now1", "/now2"]);
  release();
  await expect.poll(() => many.paths().length).toBe(3000);
  expect(many.paths()).toEqual(numbered(3000));
  // The connection is read again.
  many.socket.write("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
  await expect.poll(() => many.paths().at(-1)).toBe("/again");
  expect(warnings).toEqual([]);
});

test("reads no more of a connection while its requests wait", async () => {
  const { server, started } = await holding({ running: 1, waiting: 1_000_000 });
  // Several megabytes, more than the system keeps for a connection that nobody reads.
  const many = send(server, numbered(500_000));
  await expect.poll(() => started.length).toBe(2);
  const other = send(server, ["/now"]);
  await expect.poll(() => other.paths()).toEqual(["/now"]);
  expect(many.socket.writableLength).toBeGreaterThan(0);
  expect(many.socket.destroyed).toBe(false);
});

test("cuts a connection that makes too many wait, once with a line, and nobody else", async () => {
  const { server, started, release, warnings } = await holding({ running: 1, waiting: 100 });
  const quiet = send(server, numbered(50));
  await expect.poll(() => started.length).toBe(2);
  const greedy = [send(server, numbered(500)), send(server, numbered(500))];
  await Promise.all(greedy.map(async ({ socket }) => socket.closed || (await once(socket, "close"))));
  expect(warnings).toEqual([
    "A connection was cut: more than 100 requests waited behind unanswered ones (pipelining).",
  ]);
  release();
  await expect.poll(() => quiet.paths()).toEqual(numbered(50));
  // Waiting requests were given back.
  const next = send(server, numbered(90));
  await expect.poll(() => next.paths()).toEqual(numbered(90));
});

test("by default 64 requests of a connection run behind an unanswered one, and 10,000 of all wait", () => {
  const lines: string[] = [];
  const pipeline = createPipeline((line) => lines.push(line));
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    pause: vi.fn<() => void>(),
    destroy: vi.fn<() => void>(),
  });
  let started = 0;
  const send = (count: number): void => {
    for (let sent = 0; sent < count; sent++)
      pipeline({ socket } as never, new EventEmitter() as never, () => (started += 1));
  };
  send(64);
  expect(started).toBe(64);
  send(10_000);
  expect([started, socket.destroy.mock.calls.length, lines]).toEqual([64, 0, []]);
  send(1);
  expect([started, socket.destroy.mock.calls.length]).toEqual([64, 1]);
  expect(lines).toEqual(["A connection was cut: more than 10000 requests waited behind unanswered ones (pipelining)."]);
});

test("a connection is paused once for all requests of a packet that wait, and after the last one", async () => {
  const pipeline = createPipeline(() => {}, { running: 1, waiting: 100 });
  const socket = Object.assign(new EventEmitter(), { destroyed: false, pause: vi.fn<() => void>() });
  const pauses = [];
  for (const count of [3, 2]) {
    for (let sent = 0; sent < count; sent++) pipeline({ socket } as never, new EventEmitter() as never, () => {});
    pauses.push(socket.pause.mock.calls.length);
    await new Promise((resolve) => process.nextTick(resolve));
    pauses.push(socket.pause.mock.calls.length);
  }
  expect(pauses).toEqual([0, 1, 1, 2]);
});

test("a connection on which nothing waits is neither paused nor resumed", async () => {
  const pipeline = createPipeline(() => {});
  const methods = { pause: vi.fn<() => void>(), resume: vi.fn<() => void>() };
  const socket = Object.assign(new EventEmitter(), { destroyed: false, ...methods });
  const response = new EventEmitter();
  pipeline({ socket } as never, response as never, () => {});
  response.emit("close");
  await new Promise((resolve) => setImmediate(resolve));
  expect([methods.pause, methods.resume].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

test("cut connections are said once a minute", () => {
  const lines: string[] = [];
  const pipeline = createPipeline((line) => lines.push(line), { running: 0, waiting: 0 });
  const now = vi.spyOn(performance, "now");
  for (const time of [0, 59_999, 60_000, 119_999]) {
    now.mockReturnValue(time);
    const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => {} });
    pipeline({ socket } as never, new EventEmitter() as never, () => {});
  }
  now.mockRestore();
  expect(lines).toHaveLength(2);
});
