import { expect, test } from "vitest";
import type { ToolError } from "../../../../../runtime/base/errors.ts";
import type { Exchange } from "../../../../../runtime/fronts/http/exchange.ts";
import { answerWeb } from "../../../../../runtime/fronts/http/web-exchange.ts";

const address = "https://tools.example.org:8443/base/tool?a=1&b=2";

/** Gives a request to a handler; the exchange, and the promise of its response. */
function ask(init: RequestInit & { readonly duplex?: "half" } = {}, handle: (exchange: Exchange) => void = () => {}) {
  let exchange: Exchange | undefined;
  const response = answerWeb(
    (one) => {
      exchange = one;
      handle(one);
    },
    new Request(address, init),
    { path: "/tool", address: "192.0.2.1" },
  );
  if (exchange === undefined) throw new Error("The handler was not called.");
  return { exchange, response };
}

const text = { status: 201, headers: ["X-Own", "1"], body: "done" };

/** A stream that says when it was cancelled. */
function endless(): { readonly stream: ReadableStream<Uint8Array>; readonly isCancelled: () => boolean } {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  return { stream, isCancelled: () => cancelled };
}

test("a request is read as it came", () => {
  const { exchange } = ask({ method: "PUT", headers: { "X-Own": "1" }, body: "" });
  const { method, path, query, host, scheme, address: peer, call } = exchange;
  expect([method, path, query, host, scheme, peer]).toEqual([
    "PUT",
    "/tool",
    "a=1&b=2",
    "tools.example.org:8443",
    "https",
    "192.0.2.1",
  ]);
  expect([exchange.header("x-own"), exchange.header("x-other")]).toEqual(["1", undefined]);
  expect(call.req).toMatchObject({ method: "PUT", url: "/tool?a=1&b=2", headers: { "x-own": "1" } });
});

test("a Host of its own counts, and no query is an empty one", () => {
  const request = new Request("http://a.example/x", { headers: { host: "b.example" } });
  void answerWeb(
    ({ host, query, scheme }) => expect([host, query, scheme]).toEqual(["b.example", "", "http"]),
    request,
    { path: "/x", address: undefined },
  );
  expect.assertions(1);
});

test("an answer has its status, its headers, and those that were added", async () => {
  const { exchange, response } = ask();
  expect([exchange.call.headersSent, exchange.call.statusCode]).toEqual([false, 200]);
  exchange.addHeaders(["X-Added", "2"]);
  exchange.answer(text);
  expect([exchange.call.headersSent, exchange.call.statusCode]).toEqual([true, 201]);
  const { status, headers } = await response;
  expect([status, headers.get("x-own"), headers.get("x-added")]).toEqual([201, "1", "2"]);
  expect(await (await response).text()).toBe("done");
});

test("the second of two answers is dropped, and its stream ended", async () => {
  const { exchange, response } = ask();
  const { stream, isCancelled } = endless();
  exchange.answer(text);
  exchange.answer({ status: 200, headers: [], body: stream });
  expect(await (await response).text()).toBe("done");
  expect(isCancelled()).toBe(true);
});

test("HEAD has the headers alone, and ends the stream of its answer", async () => {
  const { stream, isCancelled } = endless();
  for (const body of [stream, "done"]) {
    const { exchange, response } = ask({ method: "HEAD" });
    exchange.answer({ status: 200, headers: ["X-Own", "1"], body });
    expect([(await response).body, (await response).headers.get("x-own")]).toEqual([null, "1"]);
  }
  expect(isCancelled()).toBe(true);
});

test("a caller that leaves is told to those who wait, once; the host gets an answer that nobody reads", async () => {
  const caller = new AbortController();
  const { exchange, response } = ask({ signal: caller.signal });
  let left = 0;
  exchange.onGone(() => left++);
  caller.abort();
  exchange.cut();
  expect(left).toBe(1);
  expect((await response).status).toBe(499);
  exchange.onGone(() => left++);
  expect(left).toBe(2);
  const { stream, isCancelled } = endless();
  exchange.answer({ status: 200, headers: [], body: stream });
  expect(isCancelled()).toBe(true);
});

test("a caller that has left before, and one that leaves in the middle of a stream", async () => {
  const before = ask({ signal: AbortSignal.abort() });
  expect((await before.response).status).toBe(499);
  const caller = new AbortController();
  const { exchange, response } = ask({ signal: caller.signal });
  let left = 0;
  exchange.onGone(() => left++);
  const { stream, isCancelled } = endless();
  exchange.answer({ status: 200, headers: [], body: stream });
  expect([(await response).status, isCancelled()]).toEqual([200, false]);
  caller.abort();
  expect(left).toBe(1);
});

test("nobody is told of a caller that leaves behind the whole answer", async () => {
  const caller = new AbortController();
  const { exchange } = ask({ signal: caller.signal });
  let left = 0;
  exchange.onGone(() => left++);
  exchange.answer(text);
  caller.abort();
  expect(left).toBe(0);
});

/** The body of a request up to a limit, or the kind of the error. */
function bodyOf(init: RequestInit & { readonly duplex?: "half" }, limit: number): Promise<string> {
  return new Promise((resolve) => {
    ask({ method: "POST", ...init }).exchange.body(limit, (error, body) => resolve(error?.kind ?? body.toString()));
  });
}

const pieces = (...parts: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(Buffer.from(part));
      controller.close();
    },
  });

test("a body is read to its limit, whatever it declares", async () => {
  expect(await bodyOf({ body: "12345" }, 5)).toBe("12345");
  expect(await bodyOf({ body: "123456" }, 5)).toBe("too-large");
  expect(await bodyOf({}, 0)).toBe("");
  expect(await bodyOf({ body: pieces("12", "345"), duplex: "half" }, 5)).toBe("12345");
  expect(await bodyOf({ body: pieces("123", "456"), duplex: "half" }, 5)).toBe("too-large");
  const headers = { "content-length": "6" };
  expect(await bodyOf({ body: endless().stream, duplex: "half", headers }, 5)).toBe("too-large");
});

test("a body that declares too much is refused once, and not read", async () => {
  const { stream } = endless();
  const { exchange } = ask({ method: "POST", body: stream, duplex: "half", headers: { "content-length": "6" } });
  const kinds: (string | undefined)[] = [];
  exchange.body(5, (error) => kinds.push(error?.kind));
  await new Promise((resolve) => setImmediate(resolve));
  expect([kinds, stream.locked]).toEqual([["too-large"], false]);
});

test("a body that breaks is a bad request; nobody is told where the caller has left", async () => {
  const broken = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
  expect(await bodyOf({ body: broken(), duplex: "half" }, 5)).toBe("bad-request");
  const caller = new AbortController();
  const { exchange } = ask({ method: "POST", body: broken(), duplex: "half", signal: caller.signal });
  const errors: (ToolError | undefined)[] = [];
  exchange.body(5, (error) => errors.push(error));
  caller.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toEqual([]);
});
