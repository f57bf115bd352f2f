import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Exchange } from "../../../../../../runtime/fronts/http/exchange.ts";
import {
  nodeListener,
  writeAnswer,
  type NodeServer,
} from "../../../../../../runtime/fronts/http/node/node-exchange.ts";

/** A server of the handler; `send` answers with all that comes back for the bytes, until the connection ends. */
async function serve(handle: (exchange: Exchange) => void, options?: NodeServer) {
  const server = createServer(nodeListener(handle, options));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () => connect((server.address() as AddressInfo).port, "127.0.0.1");
  const send = async (text: string): Promise<string> => {
    const socket = open().setEncoding("latin1");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk));
    socket.on("error", () => {});
    socket.write(text);
    await once(socket, "close");
    return answer;
  };
  return { open, send };
}

const head = (target: string, method = "GET", ...more: readonly string[]): string =>
  `${[`${method} ${target} HTTP/1.1`, "Host: own.example", "Connection: close", ...more].join("\r\n")}\r\n\r\n`;
/** The body of an answer. */
const bodyOf = (answer: string): string => answer.slice(answer.indexOf("\r\n\r\n") + 4);
const say =
  (text: (exchange: Exchange) => unknown) =>
  (exchange: Exchange): void =>
    exchange.answer({ status: 200, headers: [], body: JSON.stringify(text(exchange)) });

test.each([
  ["/a/b", ["/a/b", "", "own.example"]],
  ["/a?b=1&c=?", ["/a", "b=1&c=?", "own.example"]],
  ["/?", ["/", "", "own.example"]],
  ["http://other.example:8080/a?b", ["/a", "b", "other.example:8080"]],
  ["http://other.example/", ["/", "", "other.example"]],
  ["http://other.example", ["/", "", "other.example"]],
  ["http://other.example?b=/c", ["/", "b=/c", "other.example"]],
  ["ftp://other.example/a", ["ftp://other.example/a", "", "own.example"]],
])("the target %s is read", async (target, expected) => {
  const { send } = await serve(say(({ path, query, host }) => [path, query, host]));
  expect(JSON.parse(bodyOf(await send(head(target))))).toEqual(expected);
});

test("a query of which a host has taken the whole path is read", () => {
  const read: string[] = [];
  const listener = nodeListener(({ path, query }) => void read.push(path, query));
  listener({ url: "?a=1", headers: {}, hasPlainHead: true } as never, { socket: {} } as never);
  expect(read).toEqual(["", "a=1"]);
});

test("a request says its method, scheme, peer and headers", async () => {
  const { send } = await serve(
    say((one) => [one.method, one.scheme, one.address, one.header("x-own"), one.header("x-other") ?? null]),
  );
  expect(JSON.parse(bodyOf(await send(head("/", "DELETE", "X-Own: 1"))))).toEqual([
    "DELETE",
    "http",
    "127.0.0.1",
    "1",
    null,
  ]);
});

test("an answer has its headers, those that were added, and its length in bytes", async () => {
  const { send } = await serve((exchange) => {
    exchange.addHeaders(["X-Added", "2"]);
    exchange.answer({ status: 201, headers: ["X-Own", "1"], body: exchange.path === "/text" ? "é" : undefined });
  });
  const answer = await send(head("/text"));
  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\nX-Own: 1\r\nX-Added: 2\r\nPlatform-Tool-Version: /);
  expect(answer).toContain("Content-Length: 2\r\n");
  expect(bodyOf(answer)).toBe("Ã©");
  expect(await send(head("/"))).toContain("Content-Length: 0\r\n");
});

test.each([204, 304])("an answer with %i has no length", async (status) => {
  const { send } = await serve((exchange) => exchange.answer({ status, headers: [], body: undefined }));
  expect(await send(head("/"))).not.toContain("Content-Length");
});

test("a server that stops ends each connection, any other keeps it", async () => {
  const twice = "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const count = async (isDraining: boolean): Promise<number | undefined> => {
    const { send } = await serve(
      say(() => 1),
      { isDraining },
    );
    return (await send(twice)).match(/HTTP\/1\.1 200/g)?.length;
  };
  expect([await count(true), await count(false)]).toEqual([1, 2]);
});

/** A stream of these texts, and if it was cancelled. */
function streamOf(...texts: readonly string[]) {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(Buffer.from(text));
    },
    cancel: () => void (cancelled = true),
  });
  return { stream, isCancelled: () => cancelled };
}

test("a stream is sent as it comes; HEAD gets none of it; a caller that leaves ends it", async () => {
  const { stream, isCancelled } = streamOf("one");
  const { send, open } = await serve((exchange) => exchange.answer({ status: 200, headers: [], body: stream }));
  expect(bodyOf(await send(head("/", "HEAD")))).toBe("");
  await expect.poll(isCancelled).toBe(true);
  const other = streamOf("one");
  const streaming = await serve((exchange) => exchange.answer({ status: 200, headers: [], body: other.stream }));
  const socket = streaming.open();
  socket.write(head("/"));
  await once(socket, "data");
  expect(other.isCancelled()).toBe(false);
  socket.destroy();
  await expect.poll(other.isCancelled).toBe(true);
  const late = streamOf("one");
  const gone = await serve((exchange) =>
    exchange.onGone(() => exchange.answer({ status: 200, headers: [], body: late.stream })),
  );
  const leaver = gone.open();
  leaver.end(head("/"), () => leaver.destroy());
  await expect.poll(late.isCancelled).toBe(true);
  open().destroy();
});

test("a stream that breaks ends the connection without the end of the body; a whole one ends it in order", async () => {
  const { send } = await serve((exchange) => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from("one"));
        if (exchange.path === "/breaks") controller.error(new Error("broken"));
        else controller.close();
      },
    });
    exchange.answer({ status: 200, headers: [], body });
  });
  expect((await send(head("/"))).endsWith("3\r\none\r\n0\r\n\r\n")).toBe(true);
  expect((await send(head("/breaks"))).endsWith("0\r\n\r\n")).toBe(false);
});

test("a stream is not read on while its reader is behind", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>(
    { pull: (controller) => (pulled++ < 3 ? controller.enqueue(Buffer.from("x")) : controller.close()) },
    { highWaterMark: 0 },
  );
  const seen: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    req: { method: "GET" },
    destroyed: false,
    writeHead: () => {},
    flushHeaders: () => {},
    write: () => seen.push("write") > 2,
    end: () => seen.push("end"),
  });
  writeAnswer(response as never, { status: 200, headers: [], body });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect([pulled, seen]).toEqual([1, ["write"]]);
  response.emit("drain");
  await turn();
  expect([pulled, seen]).toEqual([2, ["write", "write"]]);
  response.emit("drain");
  // The third is taken at once, and the end follows.
  await turn();
  expect([pulled, seen]).toEqual([4, ["write", "write", "write", "end"]]);
});

test("of two answers the second ends the connection, and a cut one has none", async () => {
  const { send } = await serve((exchange) => {
    if (exchange.path === "/cut") exchange.cut();
    else for (const body of ["one", "two"]) exchange.answer({ status: 200, headers: [], body });
  });
  expect(await send(head("/"))).not.toContain("two");
  expect(await send(head("/cut"))).toBe("");
});

test("who waits is told of a caller that leaves early, of one that has left, and of none that has the answer", async () => {
  let left = 0;
  const exchanges: Exchange[] = [];
  const { open, send } = await serve((exchange) => {
    exchange.onGone(() => left++);
    exchanges.push(exchange);
    if (exchange.path === "/answer") exchange.answer({ status: 200, headers: [], body: "x" });
  });
  await send(head("/answer"));
  expect(left).toBe(0);
  const socket = open();
  socket.write(head("/wait"));
  await expect.poll(() => exchanges.length).toBe(2);
  socket.destroy();
  await expect.poll(() => left).toBe(1);
  exchanges[1]?.onGone(() => left++);
  expect(left).toBe(2);
});

test("a request that is held back runs when its turn has come, and one that is refused by its head never", async () => {
  const held: (() => void)[] = [];
  const paths: string[] = [];
  const { send } = await serve(
    (exchange) => {
      paths.push(exchange.path);
      exchange.answer({ status: 200, headers: [], body: "x" });
    },
    {
      isDraining: false,
      defer: (request, response, run) => {
        if (request.url !== "/held") return false;
        held.push(() => run(request, response));
        return true;
      },
    },
  );
  const waiting = send(head("/held"));
  await expect.poll(() => held.length).toBe(1);
  await send(head("/now"));
  expect(paths).toEqual(["/now"]);
  held[0]?.();
  expect(bodyOf(await waiting)).toBe("x");
  expect(await send(head("/refused", "GET", "Host: other"))).toContain("HTTP/1.1 400");
  expect(paths).toEqual(["/now", "/held"]);
});

test("only a request behind an unanswered one is given to the pipeline", async () => {
  const waited: (string | undefined)[] = [];
  const { send } = await serve(
    (exchange) => setImmediate(() => exchange.answer({ status: 200, headers: [], body: exchange.path })),
    {
      isDraining: false,
      pipeline(request, _, run) {
        waited.push(request.url);
        run();
      },
    },
  );
  await send(head("/alone"));
  expect(waited).toEqual([]);
  const answer = await send(`GET /first HTTP/1.1\r\nHost: a\r\n\r\n${head("/second")}`);
  expect(waited).toEqual(["/second"]);
  expect(answer.match(/\/(?:first|second)$|\/first/g)).toEqual(["/first", "/second"]);
});
