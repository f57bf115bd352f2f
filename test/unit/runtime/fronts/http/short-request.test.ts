import { createServer, IncomingMessage, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { readBody } from "../../../../../runtime/fronts/http/read-body.ts";
import { shortRequests, type ShortRequest } from "../../../../../runtime/fronts/http/short-request.ts";

/** Answers of a server of short requests to bytes, which arrive in these pieces. It ends with the last answer. */
async function exchange(listener: RequestListener, pieces: readonly string[]): Promise<string> {
  const server = createServer({ IncomingMessage: shortRequests(IncomingMessage) }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setNoDelay(true);
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

const bodyOf = (answer: string): readonly string[] =>
  answer.split(/HTTP\/1\.1 [^]*?\r\n\r\n/).filter((part) => part !== "");

const echo: RequestListener = (request, response) => {
  readBody(request, response, 1000, (error, body) => {
    response.writeHead(200, ["Content-Length", String(error?.message.length ?? body.length)]);
    response.end(error?.message ?? body);
  });
};

function post(body: string, ...headers: readonly string[]): string {
  return `POST / HTTP/1.1\r\n${["Host: here", ...headers, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
}

test("a body in one piece, in several, in chunks, and none; several requests in one piece", async () => {
  const last = post("last", "Connection: close");
  const chunked = "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n";
  const pieces = [
    post("whole"),
    ...(post("in pieces").match(/[^]{1,30}/g) ?? []),
    post("x") + chunked + post("") + last,
  ];
  const answer = await exchange(echo, pieces);
  expect(bodyOf(answer)).toEqual(["whole", "in pieces", "x", "abc", "last"]);
  expect(answer.match(/200 OK/g)).toHaveLength(6);
});

test("a body that is too large is answered at once, and the connection goes on behind it", async () => {
  const large = "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n";
  const rest = `\r\n0\r\n\r\n${post("next", "Connection: close")}`;
  const tooLarge = "The request body is larger than 1000 bytes.";
  const declared = post("y".repeat(1001));
  expect(bodyOf(await exchange(echo, [large, "x".repeat(1001), rest]))).toEqual([tooLarge, "next"]);
  expect(bodyOf(await exchange(echo, [declared, post("next", "Connection: close")]))).toEqual([tooLarge, "next"]);
});

test("a body whose stream has begun is read from the stream", async () => {
  const late: RequestListener = (request, response) => setImmediate(() => echo(request, response));
  expect(bodyOf(await exchange(late, [post("late", "Connection: close")]))).toEqual(["late"]);
});

test("a body that is read without the stream ends it with its last byte, so that Node lets the request go", async () => {
  const ended: boolean[] = [];
  const listener: RequestListener = (request, response) => {
    ended.push(request.readableEnded);
    readBody(request, response, 1000, () => {
      ended.push(request.readableEnded);
      response.end("x");
    });
  };
  await exchange(listener, [post("x", "Connection: close")]);
  expect(ended).toEqual([false, true]);
});

test("it can be read as a stream, like any other request", async () => {
  const stream: RequestListener = (request, response) => void request.pipe(response);
  expect(await exchange(stream, [post("stream", "Connection: close")])).toContain("stream");
});

test("headers say what Node's object says", async () => {
  const lists: readonly (readonly string[])[] = [
    ["Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call"],
    ["accept: */*", "mcp-protocol-version: 2026-07-28", "mcp-name: a", "user-agent: node", "traceparent: 00-1"],
    ["Mcp-Protocol-Version: 1", "content-type: application/json", "X-Forwarded-For: a", "origin: "],
    ["Accept: a", "accept: b", "Traceparent: 1"],
    ["Content-Type: a", "content-type: b", "Set-Cookie: a", "set-cookie: b"],
    ["aCCept: a", "Mcp-Param-Region: eu", "__proto__: a", "constructor: b"],
  ];
  for (const list of lists) {
    const seen: IncomingHttpHeaders[] = [];
    const listener: RequestListener = (request, response) => {
      const { headers } = request;
      (request as ShortRequest).expandHeaders();
      seen.push(headers, request.headers);
      response.end();
    };
    await exchange(listener, [post("", ...list, "Connection: close")]);
    const [short, full] = seen;
    const plain = Object.getOwnPropertyNames(full);
    expect(plain.length).toBeGreaterThan(3);
    for (const name of [...plain, "expect", "content-encoding", "job-id", "tracestate"])
      expect([name, short?.[name]]).toEqual([name, full?.[name]]);
  }
});

test.each([
  ["with usual names alone has", [], true],
  ["with a rare name does not have", ["X-Own: 1"], false],
])("a request %s a plain head, though Node has read headers before the listener", async (_, own, expected) => {
  const plain: boolean[] = [];
  const listener: RequestListener = (request, response) => {
    for (let read = 0; read < 2; read++) plain.push((request as ShortRequest).hasPlainHead);
    response.end();
  };
  await exchange(listener, [post("", ...own, "Connection: close")]);
  expect(plain).toEqual([expected, expected]);
});

test("expanded headers can be changed", async () => {
  const listener: RequestListener = (request, response) => {
    expect(request.headers.host).toBe("here");
    (request as ShortRequest).expandHeaders();
    request.headers.host = "there";
    response.end(JSON.stringify(request.headers));
  };
  const answer = await exchange(listener, [post("", "Connection: close")]);
  expect(answer).toContain('{"host":"there","connection":"close","content-length":"0"}');
});

test.each([
  ["a rare name", ["X-Own: 1"]],
  ["usual names alone", []],
])("headers that somebody puts in the place of those that came, with %s, are read", async (_, own) => {
  const listener: RequestListener = (request, response) => {
    request.headers = { "x-own": "2" };
    const read = [request.headers, (request as ShortRequest).readHeader("x-own")];
    response.end(JSON.stringify(read));
  };
  const answer = await exchange(listener, [post("", ...own, "Connection: close")]);
  expect(JSON.parse(answer.slice(answer.indexOf("["), answer.lastIndexOf("]") + 1))).toEqual([{ "x-own": "2" }, "2"]);
});

test.each(["deno", "bun"])("%s, whose parser is another one, keeps its own class", async (engine) => {
  vi.stubGlobal("process", Object.create(process, { versions: { value: { ...process.versions, [engine]: "1.0.0" } } }));
  onTestFinished(() => void vi.unstubAllGlobals());
  // Another module than the one above, since a module reads the engine when it is loaded.
  const { href } = new URL(`../../../../../runtime/fronts/http/short-request.ts?${engine}`, import.meta.url);
  const other = (await import(href)) as { readonly shortRequests: typeof shortRequests };
  expect(other.shortRequests(IncomingMessage)).toBe(IncomingMessage);
  expect(shortRequests(IncomingMessage)).not.toBe(IncomingMessage);
});
