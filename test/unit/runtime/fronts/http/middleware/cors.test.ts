import { expect, test } from "vitest";
import { createCors } from "../../../../../../runtime/fronts/http/middleware/cors.ts";
import { openCors } from "../../../../../../runtime/fronts/http/middleware/open-cors.ts";

const page = "https://page.example";
const cors = createCors([page]);
const nothing = { method: "POST", origin: undefined, askedMethod: undefined, askedHeaders: undefined };
const allowed = ["Vary", "Origin", "Access-Control-Allow-Origin", page];

test("a preflight of a listed page is answered with everything that calls may have, and no credentials", () => {
  const preflight = { ...nothing, method: "OPTIONS", origin: page, askedMethod: "POST" };
  expect(cors(preflight)).toEqual({
    isPreflight: true,
    headers: [
      ...allowed,
      "Access-Control-Allow-Methods",
      "GET, HEAD, POST, PUT, DELETE",
      "Access-Control-Allow-Headers",
      "authorization, content-type, prefer, timeout, job-id, idempotency-key, traceparent, tracestate, baggage, " +
        "last-event-id, cache-control, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id",
      "Access-Control-Max-Age",
      "7200",
    ],
  });
});

test("arguments that travel as headers are allowed by name, and no others", () => {
  const askedHeaders = "X-Own, Mcp-Param-Region,mcp-param-a b, mcp-param-, x-mcp-param-c,mcp-param-d!";
  const { headers } = cors({ ...nothing, method: "OPTIONS", origin: page, askedMethod: "POST", askedHeaders });
  const listed = headers[headers.indexOf("Access-Control-Allow-Headers") + 1] ?? "";
  expect(listed.split(", ").slice(-3)).toEqual(["mcp-session-id", "mcp-param-region", "mcp-param-d!"]);
  const long = (letters: number): number =>
    cors({
      ...nothing,
      method: "OPTIONS",
      origin: page,
      askedMethod: "POST",
      askedHeaders: `mcp-param-${"x".repeat(letters)}`,
    })
      .headers.join(" ")
      .split("mcp-param-").length - 1;
  expect([long(100), long(101)]).toEqual([1, 0]);
});

test.each([
  ["a call", { method: "POST", origin: page }],
  ["OPTIONS that is no preflight", { method: "OPTIONS", origin: page }],
  ["a call that says it", { method: "GET", origin: page, askedMethod: "POST" }],
])("%s of a listed page may be read", (_, request) => {
  expect(cors({ ...nothing, ...request })).toEqual({
    isPreflight: false,
    headers: [
      ...allowed,
      "Access-Control-Expose-Headers",
      "Location, Retry-After, Retry-Later, job-id, Mcp-Session-Id, Platform-Tool-Version, WWW-Authenticate",
    ],
  });
});

test.each([
  [
    "a page that is not listed",
    { method: "OPTIONS", origin: "https://evil.example", askedMethod: "POST" },
    ["Vary", "Origin"],
  ],
  ["a GET without an origin, which caches keep", { method: "GET" }, ["Vary", "Origin"]],
  ["a HEAD without an origin", { method: "HEAD" }, ["Vary", "Origin"]],
  ["any other call without an origin", { method: "POST" }, []],
])("%s gets nothing to read", (_, request, headers) => {
  expect(cors({ ...nothing, ...request })).toEqual({ headers, isPreflight: false });
});

test("a service that lists no pages adds nothing, so that caches need not tell origins apart", async () => {
  expect(await openCors([])).toBeUndefined();
  expect((await openCors([page]))?.({ ...nothing, origin: page })).toEqual(cors({ ...nothing, origin: page }));
});
