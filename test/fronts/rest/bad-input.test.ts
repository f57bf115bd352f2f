import { afterAll, beforeAll, expect, test } from "vitest";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";
import { hostileBodies } from "./hostile-bodies.ts";

let calls = 0;
let server: TestServer;
const anything = fakeTool(
  (request: unknown) => {
    calls++;
    return { seen: typeof request };
  },
  { request: {} },
);
const typed = fakeTool(
  () => {
    calls++;
    return 1;
  },
  { name: "typed", path: "/typed" },
);

beforeAll(async () => {
  loggingInit({ level: "ERROR", write: () => {} });
  server = await serve([anything, typed], { bodyLimit: 100_000 });
});
afterAll(() => server.stop());

async function refused(response: Response): Promise<[number, string, string]> {
  const { type, detail } = await json(response);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return [response.status, type.replace("urn:platform:problem:", ""), detail];
}

const bodies: readonly [name: string, body: string | Uint8Array, answer: [number, string, string]][] = [
  ["empty", "", [400, "malformed-json", "The request body is empty; send JSON, for example {}."]],
  ["blank", "  ", [400, "malformed-json", "The request body is not valid JSON."]],
  ["cut off", '{"a":', [400, "malformed-json", "The request body is not valid JSON."]],
  [
    "a stray comma",
    '{"a":1,}',
    [400, "malformed-json", "The request body is not valid JSON, at position 7 (line 1 column 8)."],
  ],
  ["NaN", '{"a":NaN}', [400, "malformed-json", "The request body is not valid JSON."]],
  ["bad UTF-8", Buffer.from([0x22, 0xff, 0x22]), [400, "malformed-json", "The request body is not valid UTF-8."]],
  [
    "an overlong form",
    Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    [400, "malformed-json", "The request body is not valid UTF-8."],
  ],
  [
    "UTF-16",
    Buffer.from('{"a":1}', "utf16le"),
    [400, "malformed-json", "The request body is not valid JSON, at position 1 (line 1 column 2)."],
  ],
  ["a BOM", "\uFEFF{}", [400, "malformed-json", "The request body is not valid JSON."]],
  ["gzip as JSON", Buffer.from([0x1f, 0x8b, 8, 0]), [400, "malformed-json", "The request body is not valid UTF-8."]],
  [
    "513 levels",
    `${"[".repeat(513)}${"]".repeat(513)}`,
    [400, "bad-request", "The request is nested deeper than 512 levels."],
  ],
  ["50,000 brackets", "[".repeat(50_000), [400, "bad-request", "The request is nested deeper than 512 levels."]],
  [
    "10,000 objects",
    `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    [400, "bad-request", "The request is nested deeper than 512 levels."],
  ],
  [
    "__proto__",
    '{"__proto__":{"admin":true}}',
    [400, "bad-request", 'The request has a key "__proto__", which is not allowed.'],
  ],
  [
    "__proto__ in depth",
    '[{"a":{"__proto__":1}}]',
    [400, "bad-request", 'The request has a key "__proto__", which is not allowed.'],
  ],
  [
    "__proto__ escaped",
    '{"\\u005f_proto__":1}',
    [400, "bad-request", 'The request has a key "__proto__", which is not allowed.'],
  ],
  [
    "constructor.prototype",
    '{"constructor":{"prototype":{}}}',
    [400, "bad-request", 'The request has a key "constructor", which is not allowed.'],
  ],
  ["1e999", '{"a":1e999}', [400, "bad-request", "The request has a number that is too large to be finite."]],
  [
    "-1e999 in an array",
    "[[-1E+999]]",
    [400, "bad-request", "The request has a number that is too large to be finite."],
  ],
  [
    "400 digits",
    `[${"9".repeat(400)}]`,
    [400, "bad-request", "The request has a number that is too large to be finite."],
  ],
  [
    "300 digits and an exponent",
    `[1${"0".repeat(250)}e99]`,
    [400, "bad-request", "The request has a number that is too large to be finite."],
  ],
];
for (const [name, body, answer] of bodies) {
  test(`body: ${name}`, async () => {
    const before = calls;
    expect(await refused(await server.post("/tool", body))).toEqual(answer);
    expect(calls).toBe(before);
    expect(({} as { admin?: unknown }).admin).toBe(undefined);
  });
}

const accepted: readonly [string, string][] = [
  ["512 levels", `${"[".repeat(512)}${"]".repeat(512)}`],
  ["brackets in a string", JSON.stringify("[".repeat(2000))],
  ["brackets behind escaped quotes", JSON.stringify(`\\"${"[{".repeat(2000)}\\`)],
  ["__proto__ as a value", '{"a":"__proto__"}'],
  ["constructor as an ordinary key", '{"constructor":{"name":"x"}}'],
  ["1e308", '{"a":1e308,"b":1e-999}'],
  ["a lone surrogate", '["\\ud800"]'],
  ["a NUL in a string", '["\\u0000"]'],
  ["a scalar", "0"],
];
for (const [name, body] of accepted) {
  test(`body is accepted: ${name}`, async () => {
    expect((await server.post("/tool", body)).status).toBe(200);
  });
}

test("hostile bodies: what JSON.parse takes is served, what it refuses is 400, never anything else", async () => {
  const wrong: unknown[] = [];
  for (const { name, bytes, legal } of hostileBodies()) {
    const { status } = await server.post("/tool", bytes);
    if (status !== (legal ? 200 : 400)) wrong.push({ name, status });
  }
  expect(wrong).toEqual([]);
});

test("media types and encodings", async () => {
  const cases: readonly [Record<string, string>, number][] = [
    [{ "content-type": "application/json; charset=utf-8" }, 200],
    [{ "content-type": 'Application/JSON;charset="UTF-8"' }, 200],
    [{ "content-type": "application/merge-patch+json" }, 200],
    [{ "content-encoding": "identity" }, 200],
    [{ "content-type": "application/json; charset=latin1" }, 415],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/x-www-form-urlencoded" }, 415],
    [{ "content-type": "application/jsonp" }, 415],
    [{ "content-encoding": "gzip" }, 415],
    [{ "content-encoding": "br" }, 415],
  ];
  for (const [headers, status] of cases) {
    expect([headers, (await server.post("/tool", "{}", headers)).status]).toEqual([headers, status]);
  }
  const without = await server.raw(
    "POST /tool HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
  );
  expect(without).toContain("HTTP/1.1 415 ");
  expect(without).toContain("Content-Type must be application/json, there is none.");
});

const big = Buffer.alloc(100_001, " ");
test("a body over the limit: 413, with a length, chunked, and with Expect; the tool is not called", async () => {
  const before = calls;
  const detail = "The request body is larger than 100000 bytes.";
  expect(await refused(await server.post("/tool", big))).toEqual([413, "too-large", detail]);
  const head = "POST /tool HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
  const chunked = await server.raw([
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array.from({ length: 101 }, () => `3e8\r\n${" ".repeat(1000)}\r\n`),
    "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
  ]);
  expect(chunked).toContain("HTTP/1.1 413 ");
  // The connection is still good for the next request.
  expect(chunked).toContain('{"status":"ok"');
  const expecting = await server.raw(`${head}Content-Length: 1000000\r\nExpect: 100-continue\r\n\r\n`, 300);
  expect(expecting.startsWith("HTTP/1.1 413 ")).toBe(true);
  expect(calls).toBe(before);
});

test("a body at the limit is served, also in many chunks and with Expect", async () => {
  expect((await server.post("/tool", Buffer.alloc(100_000, "1"))).status).toBe(400);
  expect((await server.post("/tool", JSON.stringify("x".repeat(99_998)))).status).toBe(200);
  const expecting = await server.raw([
    "POST /tool HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
    "{}",
  ]);
  expect(expecting.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")).toBe(true);
});

test("paths are matched as they are written", async () => {
  for (const path of [
    "//tool",
    "/tool/",
    "/tool%2f",
    "/TOOL",
    "/%74ool",
    "/tool;x",
    "/./tool",
    "/tool/../tool",
    "/tool%00",
    "/typed%2ejobs/x",
    "*",
    "/jobs/../tool",
  ]) {
    const answer = await server.raw(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect([path, answer.split("\r\n")[0]]).toEqual([path, "HTTP/1.1 404 Not Found"]);
  }
});

test("the absolute form reaches the same route, under the same check of its authority", async () => {
  const ask = (target: string): Promise<string> =>
    server.raw(
      `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
  expect(await ask(`http://127.0.0.1:${server.port}/tool?x=/y`)).toContain("HTTP/1.1 200 ");
  expect(await ask("http://evil.example.com/tool")).toContain("HTTP/1.1 403 ");
  expect(await ask("ftp://127.0.0.1/tool")).toContain("HTTP/1.1 404 ");
});

test("what is no HTTP is answered with a problem and closed", async () => {
  const bad = [
    "GARBAGE\r\n\r\n",
    "POST /tool HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /tool HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n",
  ];
  for (const text of bad) {
    const answer = await server.raw(text);
    expect(answer.startsWith("HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\n")).toBe(true);
    expect(answer).toContain('"detail":"The request is not valid HTTP."');
  }
  const huge = await server.raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(huge).toContain("HTTP/1.1 431 Request Header Fields Too Large");
});

test("Host and Origin are checked on every route, before a body is read", async () => {
  const send = (path: string, headers: string): Promise<string> =>
    server.raw(
      `POST ${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: 99\r\nConnection: close\r\n\r\n`,
      300,
    );
  for (const path of ["/tool", "/jobs/x", "/nope", "/openapi.json"]) {
    for (const headers of [
      "Host: evil.example.com\r\n",
      "Host: localhost.evil.example.com\r\n",
      "Host: localhost@evil.example.com\r\n",
      "Host: 127.0.0.1\r\nOrigin: http://evil.example.com\r\n",
      "Host: 127.0.0.1\r\nOrigin: null\r\n",
      "Host: 127.0.0.1\r\nOrigin: http://localhost.evil.example.com\r\n",
      "Host: 127.0.0.1\r\nOrigin: file://\r\n",
      "Host: localhost\r\nOrigin: http://localhost:3000\r\n",
    ]) {
      expect([path, headers, (await send(path, headers)).split("\r\n")[0]]).toEqual([
        path,
        headers,
        "HTTP/1.1 403 Forbidden",
      ]);
    }
  }
  expect(await server.raw("GET /healthz HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n")).toContain(
    "HTTP/1.1 200 ",
  );
  const good = [
    "Host: localhost:8080\r\n",
    "Host: [::1]:1\r\n",
    "Host: 10.1.2.3\r\n",
    "Host: localhost:3000\r\nOrigin: http://localhost:3000\r\n",
    "Host: localhost:3000\r\nOrigin: http://127.0.0.1:3000\r\n",
    "Host: 127.0.0.1\r\nOrigin: https://127.0.0.1\r\n",
  ];
  for (const headers of good) {
    const answer = await server.raw(`GET /tool HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    expect([headers, answer.split("\r\n")[0]]).toEqual([headers, "HTTP/1.1 200 OK"]);
  }
});

test("methods that nobody uses: 405 on a route, 404 elsewhere", async () => {
  for (const method of ["TRACE", "PROPFIND", "QUERY", "LINK"]) {
    const ask = (path: string): Promise<string> =>
      server.raw(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    expect((await ask("/tool")).split("\r\n")[0]).toBe("HTTP/1.1 405 Method Not Allowed");
    expect((await ask("/nope")).split("\r\n")[0]).toBe("HTTP/1.1 404 Not Found");
  }
});

test("probes without a Host, or with an odd one, are answered", async () => {
  for (const head of [
    "GET /healthz HTTP/1.0\r\n",
    "GET /readyz HTTP/1.1\r\nHost: a b\r\n",
    "GET /healthz HTTP/1.1\r\nHost: \r\n",
  ]) {
    expect((await server.raw(`${head}Connection: close\r\n\r\n`)).split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
  }
});

test("a client that goes away does not disturb anything", async () => {
  const head =
    "POST /tool HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
  await Promise.all(Array.from({ length: 20 }, () => server.raw(head, 20)));
  expect((await server.post("/tool", {})).status).toBe(200);
});
