import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";

const http = process.getBuiltinModule("node:http");
const limits: { headersTimeout?: number; requestTimeout?: number }[] = [];
let server: TestServer;
let calls = 0;
let opened: Server | undefined;

/** A service with the real limits for slow clients in a tenth of the time. */
beforeAll(async () => {
  const { createServer } = http;
  const spy = vi.spyOn(http, "createServer").mockImplementation(((
    options: (typeof limits)[number],
    listener: never,
  ) => {
    limits.push(options);
    const { headersTimeout = 0, requestTimeout = 0 } = options;
    const short = { headersTimeout: headersTimeout / 10, requestTimeout: requestTimeout / 10 };
    opened = createServer({ ...options, ...short, connectionsCheckingInterval: 20 }, listener);
    return opened;
  }) as never);
  server = await serve([fakeTool(() => ++calls)], {}, {}, ["--test-without-sidecar", "--with-mcp"]);
  spy.mockRestore();
});
afterAll(() => server.stop());

test("the limits are 10 s for headers and 30 s for a whole request", () => {
  expect(limits).toMatchObject([{ headersTimeout: 10_000, requestTimeout: 30_000 }]);
});

/** Sends a byte now and then, and resolves to what came back once the server has closed. */
function drip(start: string, byte: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket: Socket = connect(server.port, "127.0.0.1", () => {
      socket.write(start);
      timer = setInterval(() => socket.write(byte), 20);
    });
    let timer: NodeJS.Timeout | undefined;
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}

test("clients that drip headers or bodies are answered 408, and stop nobody", async () => {
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
  const slow = Array.from({ length: 100 }, (_, index) => {
    const path = index % 2 === 0 ? "/tool" : "/mcp";
    return index % 4 < 2 ? drip(head(path), "X") : drip(`${head(path)}\r\n{`, " ");
  });
  const health = await Promise.all(Array.from({ length: 20 }, () => server.get("/healthz")));
  expect(health.map(({ status }) => status)).toEqual(health.map(() => 200));
  const answers = await Promise.all(slow);
  expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
  expect(answers[0]).toContain("application/problem+json");
  expect(calls).toBe(0);
});

test("clients that say nothing, and never close their half, do not keep their sockets", async () => {
  const count = (): Promise<number> =>
    new Promise((resolve) => opened?.getConnections((_, connections) => resolve(connections)));
  const silent = Array.from({ length: 50 }, () => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    return socket.on("error", () => {}).resume();
  });
  await expect.poll(count).toBeGreaterThanOrEqual(50);
  // Those of the test before stay open, as good clients' do.
  await expect.poll(count).toBeLessThan(25);
  for (const socket of silent) socket.destroy();
});
