import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeTool } from "../../support/fake-tool.ts";
import { localPlatform } from "../../support/local-platform.ts";
import { exchange, serve, type TestServer } from "../../support/serve.ts";

let server: TestServer;
let calls = 0;
beforeAll(async () => {
  server = await serve([fakeTool(() => ++calls)], {}, {}, ["--test-without-sidecar", "--with-mcp"]);
  // The first request waits until everything is loaded.
  await server.get("/healthz");
});
afterAll(() => server.stop());

const body = "2\r\n{}\r\n0\r\n\r\n";
const next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** Status lines of the answers to a request, and to another one behind it on the same connection. */
async function statuses(path: string, lines: readonly string[], version = "1.1"): Promise<readonly string[]> {
  const head = [`POST ${path} HTTP/${version}`, "Content-Type: application/json", ...lines].join("\r\n");
  return (await server.raw(`${head}\r\n\r\n${body}${next}`)).match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

// RFC 9112: 3.2 (Host), 6.1 (transfer codings), 6.3 (both lengths).
const refused: readonly [string, readonly string[], string][] = [
  ["two Host headers", ["Host: localhost", "Host: localhost", "Transfer-Encoding: chunked"], "400"],
  ["two different ones", ["Host: localhost", "host: evil.example", "Transfer-Encoding: chunked"], "400"],
  [
    "two Authorization headers",
    ["Host: localhost", "Authorization: Bearer a", "authorization: Bearer b", "Transfer-Encoding: chunked"],
    "400",
  ],
  ["gzip before chunked", ["Host: localhost", "Transfer-Encoding: gzip, chunked"], "501"],
  ["two Transfer-Encodings", ["Host: localhost", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], "501"],
  ["chunked twice", ["Host: localhost", "Transfer-Encoding: chunked, chunked"], "400"],
  ["another coding at the end", ["Host: localhost", "Transfer-Encoding: chunked, gzip"], "400"],
  ["both lengths", ["Host: localhost", "Content-Length: 2", "Transfer-Encoding: chunked"], "400"],
];

test.each(refused)("%s: refused, and nothing behind it on the connection is read", async (_, lines, status) => {
  const before = calls;
  for (const path of ["/tool", "/mcp"])
    expect([path, await statuses(path, lines)]).toEqual([path, [`HTTP/1.1 ${status}`]]);
  expect(calls).toBe(before);
});

test("HTTP/1.0 has no Transfer-Encoding", async () => {
  expect(await statuses("/tool", ["Host: localhost", "Transfer-Encoding: chunked"], "1.0")).toEqual(["HTTP/1.1 400"]);
});

test("chunked in any case, with and without rare headers, goes on to the next request", async () => {
  for (const lines of [["Transfer-Encoding: chunked"], ["transfer-encoding: Chunked", "X-Own: 1"]])
    expect(await statuses("/tool", ["Host: localhost", ...lines])).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
});

test.each(refused)("%s: refused by the platform as well, which stores no job", async (_, lines, status) => {
  const platform = await localPlatform({ services: [{ definition: { name: "Own" } }] });
  const head = ["POST /services2/own/jobs HTTP/1.1", "Content-Type: application/json", ...lines].join("\r\n");
  const answer = await exchange(Number(new URL(platform.url).port), `${head}\r\n\r\n${body}${next}`);
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${status}`]);
  expect(await (await fetch(`${platform.url}/jobs`)).json()).toMatchObject({ items: [] });
});
