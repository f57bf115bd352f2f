import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { watchConnections } from "../../../../../runtime/fronts/http/watch-connections.ts";
import type { ConnectionLimits } from "../../../../../runtime/fronts/http/watch-connections.ts";

const large = Buffer.alloc(20 * 1024 * 1024, "x");
const lines: string[] = [];
let server: Server | undefined;
afterEach(async () => {
  lines.length = 0;
  server?.closeAllConnections();
  server?.close();
});

async function open(listener: RequestListener, limits: ConnectionLimits, files?: number): Promise<number> {
  server = createServer({ keepAliveTimeout: 65_000 }, listener);
  watchConnections(
    server,
    limits,
    (line) => lines.push(line),
    () => (files === undefined ? undefined : { most: files, now: 20 }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function get(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  return socket;
}

test("a reader that takes nothing of its answer is cut; one that goes on reading gets all of it", async () => {
  const port = await open((_, response) => response.end(large), { write: 200, connections: 100 });
  const closed: Promise<unknown>[] = [];
  server?.on("connection", (socket) => closed.push(once(socket, "close")));
  await Promise.all([get(port), get(port), get(port)]);
  await expect.poll(() => closed.length).toBe(3);
  await Promise.all(closed);
  const slow = await get(port);
  let size = 0;
  // Longer than the limit in all, but never still for as long.
  slow.on("data", (chunk) => {
    size += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 2);
  });
  await expect.poll(() => size).toBeGreaterThan(large.length);
  slow.destroy();
});

test("an answer that waits for its tool is not cut, however long", async () => {
  let answer = (): void => {};
  const port = await open((_, response) => (answer = () => response.end("late")), { write: 50, connections: 100 });
  const socket = await get(port);
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  answer();
  await expect.poll(() => text).toContain("late");
  socket.destroy();
});

test.each([
  ["the limit", { connections: 3 }, undefined, "New connections are refused: 3 are open (TENON_MAX_CONNECTIONS)."],
  [
    "the descriptors",
    { connections: 100 },
    31,
    "New connections are refused: 3 are open (the limit of open files (ulimit -n) allows no more).",
  ],
])("connections that run out by %s are one line in the log", async (_, { connections }, files, line) => {
  const port = await open((__, response) => response.end("x"), { write: 1000, connections }, files);
  const kept = await Promise.all([get(port), get(port), get(port)]);
  await Promise.all(kept.map((socket) => once(socket, "data")));
  for (let more = 0; more < 5; more++)
    await once(
      connect(port, "127.0.0.1").on("error", () => {}),
      "close",
    );
  expect(lines).toEqual([line]);
  for (const socket of kept) socket.destroy();
});
