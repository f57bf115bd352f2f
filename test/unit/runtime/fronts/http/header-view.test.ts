import { expect, test } from "vitest";
import { createHeaderViews } from "../../../../../runtime/fronts/http/short-request.ts";

test("requests of several kinds take turns, also with as many headers in another order", () => {
  const views = createHeaderViews();
  const kinds = [
    ["Host", "a", "Content-Type", "text/plain"],
    ["content-type", "application/json", "host", "b"],
    ["Host", "c"],
    ["Host", "d", "Job-Id", "7", "Is-Error", "true"],
  ];
  const read = kinds.map((raw) => views.view(raw));
  const seen = () =>
    read.map((view) => [view?.host, view?.["content-type"], view?.["job-id"], view?.["is-error"], view?.origin]);
  const expected = [
    ["a", "text/plain", undefined, undefined, undefined],
    ["b", "application/json", undefined, undefined, undefined],
    ["c", undefined, undefined, undefined, undefined],
    ["d", undefined, "7", "true", undefined],
  ];
  expect(seen()).toEqual(expected);
  for (const raw of kinds) views.view(raw);
  expect(seen()).toEqual(expected);
});

test("the value of a header is not taken for the name of the next one", () => {
  const views = createHeaderViews();
  expect(views.view(["Host", "a", "Accept", "*/*"])?.accept).toBe("*/*");
  const other = views.view(["Host", "Accept", "Origin", "null"]);
  expect([other?.host, other?.accept, other?.origin]).toEqual(["Accept", undefined, "null"]);
});

/** Names that clients and proxies usually send. */
const usual = [
  ["accept", "accept-encoding", "accept-language", "authorization", "baggage", "cache-control", "connection"],
  ["content-encoding", "content-length", "content-type", "expect", "host", "idempotency-key", "is-error"],
  ["job-attempt", "job-id", "job-lease", "last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version"],
  ["mcp-session-id", "origin", "prefer", "referer", "sec-fetch-mode", "timeout", "traceparent", "tracestate"],
  ["transfer-encoding", "user-agent", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"],
  ["x-request-id"],
].flat();

test("each usual name has a view, also all of them together", () => {
  const views = createHeaderViews();
  const readable = usual.filter((name) => views.view([name, "1"])?.[name] === "1");
  expect(readable).toEqual(usual);
  const all = views.view(usual.flatMap((name) => [name, `of ${name}`]));
  expect(usual.map((name) => all?.[name])).toEqual(usual.map((name) => `of ${name}`));
});

test("a rare name, a name that is there twice, and no headers at all are left to Node", () => {
  const views = createHeaderViews();
  expect(views.view(["Host", "a"])?.host).toBe("a");
  expect(views.view(["Host", "a", "X-Own", "1"])).toBeUndefined();
  expect(views.view(["Host", "a", "host", "b"])).toBeUndefined();
  expect(views.view([])).toBeUndefined();
  expect(views.view(Array.from({ length: 200 }, (_, index) => `${index}`))).toBeUndefined();
});

test("plain is what has a Host and no Transfer-Encoding", () => {
  const views = createHeaderViews();
  const isPlain = (raw: readonly string[]): boolean => {
    const view = views.view(raw);
    return view !== undefined && views.isPlain(view);
  };
  expect(isPlain(["Host", "a", "Accept", "*/*"])).toBe(true);
  expect(isPlain(["Host", "a", "Transfer-Encoding", "chunked"])).toBe(false);
  expect(isPlain(["Accept", "*/*"])).toBe(false);
});
