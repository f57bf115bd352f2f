import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

const limit = 128 * 1024;
const megabyte = 1024 * 1024;

let service: ChildProcess;
let port: number;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = fork("test/fronts/security/memory-service.ts", {
    execArgv: ["--expose-gc"],
    env: { ...process.env, TENON_BODY_LIMIT: String(limit), TENON_REQUEST_TIMEOUT: "300" },
  });
  [{ port }] = (await once(service, "message")) as [{ port: number }];
  // Code that answers is loaded with the first requests, and is no part of what their bodies cost.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  for (const path of ["/tool", "/mcp"]) {
    const headers = { "content-type": "application/json" };
    await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: "{}" });
    await drip(path);
  }
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  service.kill();
});

async function memory(): Promise<{ readonly held: number; readonly rss: number }> {
  service.send("memory");
  return ((await once(service, "message")) as [{ held: number; rss: number }])[0];
}

/** Looks that must agree: they span more than the second after which a server loads what only mistakes need. */
const looks = 6;

/** The same once all is loaded, and what was read before is no longer garbage. */
async function settledMemory(): ReturnType<typeof memory> {
  const taken = [await memory()];
  await expect
    .poll(
      async () => {
        taken.push(await memory());
        const last = taken.slice(-looks).map(({ held }) => held);
        return last.length === looks && Math.max(...last) - Math.min(...last) < 32 * 1024;
      },
      { interval: 250 },
    )
    .toBe(true);
  return taken.at(-1) ?? (await memory());
}

/** Sends all but the last byte of the largest body byte by byte, and resolves when the service has taken it. */
async function drip(path: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const pieces = `${head}${"1\r\n \r\n".repeat(limit - 1)}`;
  await new Promise<void>((resolve, reject) => socket.write(pieces, (error) => (error ? reject(error) : resolve())));
}

test.each(["/tool", "/mcp"])("14 bodies of 1-byte chunks that never end cost their bytes (%s)", async (path) => {
  const before = await settledMemory();
  await Promise.all(Array.from({ length: 14 }, () => drip(path)));
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  // All of it has been read and is held (a service that had dropped it, or not yet read it, would hold less), and what
  // it was read from is no longer garbage.
  const isInBounds = (bytes: number): boolean => bytes > 14 * 0.5 * limit && bytes < 14 * 1.2 * limit + megabyte;
  await expect.poll(async () => (await memory()).held - before.held).toSatisfy(isInBounds);
  expect((await memory()).rss - before.rss).toBeLessThan(100 * megabyte);
});
