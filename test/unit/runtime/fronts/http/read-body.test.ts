import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ToolError } from "../../../../../runtime/base/errors.ts";
import { checkJsonHeaders, readBody } from "../../../../../runtime/fronts/http/read-body.ts";

const mebibyte = 1024 * 1024;

/** A request whose chunks the test sends, and what became of it. */
function request(limit: number, headers: Readonly<Record<string, string>> = {}) {
  const ended: { readonly kind: string | undefined; readonly body: string }[] = [];
  const seen = { destroyed: 0, continued: 0, ended };
  const incoming = Object.assign(new EventEmitter(), { headers, destroy: () => (seen.destroyed += 1) });
  const response = { writeContinue: () => (seen.continued += 1) };
  const done = (error: ToolError | undefined, body: Buffer): void => {
    ended.push({ kind: error?.kind, body: body.toString() });
  };
  readBody(incoming as unknown as IncomingMessage, response as unknown as ServerResponse, limit, done);
  return {
    seen,
    send: (chunk: string | Buffer) => incoming.emit("data", Buffer.from(chunk)),
    end: () => incoming.emit("end"),
  };
}

describe("a body", () => {
  test.each([[[]], [["abcd"]], [["ab", "cd"]], [["a", "b", "cd"]]])("of the chunks %j is one", (chunks) => {
    const { seen, send, end } = request(4);
    for (const chunk of chunks) send(chunk);
    expect(seen.ended).toEqual([]);
    end();
    expect(seen).toEqual({ destroyed: 0, continued: 0, ended: [{ kind: undefined, body: chunks.join("") }] });
  });

  test("may have as many bytes as the limit, and not one more", () => {
    const { seen, send, end } = request(4);
    send("ab");
    send("cd");
    send("e");
    end();
    expect(seen.ended).toEqual([{ kind: "too-large", body: "" }]);
  });

  test("whose length is declared is refused before it comes, and asked for only where it fits", () => {
    const expecting = { expect: "100-continue" };
    expect(request(1000, { ...expecting, "content-length": "1001" }).seen).toEqual({
      destroyed: 0,
      continued: 0,
      ended: [{ kind: "too-large", body: "" }],
    });
    expect(request(1000, { ...expecting, "content-length": "1000" }).seen).toEqual({
      destroyed: 0,
      continued: 1,
      ended: [],
    });
  });

  test.each([
    ["declared", { "content-length": String(64 * mebibyte) }],
    ["sent", {}],
  ])("that is too large by what is %s is read on for 16 MiB, and then ends its connection", (_, headers) => {
    const limit = 1000;
    const { seen, send } = request(limit, headers);
    send("x".repeat(limit + 1));
    // Bytes that count once the body is refused: those up to the limit are taken as sent where the length is declared.
    const beyond = "content-length" in headers ? limit + 2 : 1;
    for (let sent = 0; sent < 15; sent++) send(Buffer.alloc(mebibyte));
    expect(seen.destroyed).toBe(0);
    send(Buffer.alloc(mebibyte - beyond));
    expect(seen.destroyed).toBe(0);
    send("x");
    expect(seen.destroyed).toBe(1);
    expect(seen.ended).toEqual([{ kind: "too-large", body: "" }]);
  });
});

test.each([
  ["keeps the span of its request where OpenTelemetry has a provider", true, "span"],
  ["has no context to keep otherwise", false, undefined],
])("a body that is read without the stream %s", (_, hasProvider, expected) => {
  // By its key, which is that of OpenTelemetry's API.
  const key = Symbol.for("opentelemetry.js.api.1");
  if (hasProvider) Object.assign(globalThis, { [key]: {} });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  const spans = new AsyncLocalStorage<string>();
  const collect = vi.fn<(take: (chunk: Buffer | null) => void) => boolean>(() => true);
  const done = vi.fn<(error: ToolError | undefined, body: Buffer) => string | undefined>(() => spans.getStore());
  spans.run("span", () => readBody({ headers: {}, collect } as never, {} as never, 10, done));
  const [take] = collect.mock.calls[0] ?? [];
  take?.(Buffer.from("body"));
  take?.(null);
  expect(done.mock.calls.map(([, body]) => body.toString())).toEqual(["body"]);
  expect(done).toHaveReturnedWith(expected);
});

describe("the headers of a body", () => {
  const refusal = (headers: Readonly<Record<string, string>>): string | undefined => {
    try {
      checkJsonHeaders({ header: (name) => headers[name] });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json; profile=x; charset = utf8",
    "application/json; notcharset=latin1",
    "application/problem+json",
  ])("take %s", (type) => {
    expect(refusal({ "content-type": type })).toBeUndefined();
    expect(refusal({ "content-type": type, "content-encoding": "Identity" })).toBeUndefined();
  });

  test.each([
    [{ "content-type": "application/json; charset=latin1" }, "The body must be UTF-8."],
    [{ "content-type": "application/json; profile=x; charset=utf-16" }, "The body must be UTF-8."],
    [{ "content-type": "application/json; charset=utf8mb4" }, "The body must be UTF-8."],
    [{ "content-type": "application/json; charset=x-utf-8" }, "The body must be UTF-8."],
    [{ "content-type": "text/plain" }, 'Content-Type must be application/json, not "text/plain".'],
    [{}, "Content-Type must be application/json, there is none."],
    [
      { "content-type": "application/json", "content-encoding": "gzip" },
      "The body must not be encoded: leave Content-Encoding out.",
    ],
  ])("refuse %j", (headers, message) => {
    expect(refusal(headers)).toBe(message);
  });
});
