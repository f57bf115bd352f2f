import { EventEmitter, once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { limitByOpenFiles } from "../../../../../../runtime/fronts/http/node/watch-clients.ts";
import { watchConnections } from "../../../../../../runtime/fronts/http/node/watch-connections.ts";

const lines: string[] = [];
let server: Server | undefined;
afterEach(async () => {
  lines.length = 0;
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function open(listener: RequestListener, connections: number, files?: number): Promise<number> {
  server = createServer({ keepAliveTimeout: 65_000 }, listener);
  watchConnections(server, connections, (line) => lines.push(line));
  if (files !== undefined) limitByOpenFiles(server, 5, () => ({ most: files, now: 25 }));
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

test.each([
  ["the limit", 3, undefined, "New connections are refused: 3 are open (TENON_MAX_CONNECTIONS)."],
  [
    "the descriptors",
    100,
    31,
    "New connections are refused: 3 are open (the limit of open files (ulimit -n) allows no more).",
  ],
])("connections that run out by %s are one line in the log", async (_, connections, files, line) => {
  const port = await open((__, response) => response.end("x"), connections, files);
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

test("the open connections are known, and a refusal is said once a minute", () => {
  const own = new EventEmitter() as unknown as Server;
  const sockets = watchConnections(own, 2, (line) => lines.push(line));
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  own.emit("connection", one);
  own.emit("connection", other);
  one.emit("close");
  expect([...sockets]).toEqual([other]);
  const now = vi.spyOn(performance, "now");
  for (const time of [0, 59_999, 60_000, 119_999]) {
    now.mockReturnValue(time);
    own.emit("drop");
  }
  now.mockRestore();
  expect(lines).toHaveLength(2);
});
