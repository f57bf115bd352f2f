import { expect, test } from "vitest";
import { answerCard, type ServerCardOptions } from "../../../../../../runtime/fronts/mcp/http/server-card.ts";
import { Service } from "../../../../../../runtime/service/service.ts";
import { fakeExchange, type FakeRequest } from "../../../../../support/fake-exchange.ts";

const card = "/mcp/server-card";
const catalog = "/.well-known/ai-catalog.json";
const service = new Service({ name: "Prime  Numbers!", description: "Finds\n primes." });

function ask(request: FakeRequest, options: Partial<ServerCardOptions> = {}) {
  const { exchange } = fakeExchange({ method: "GET", path: card, ...request });
  const all = { service, version: "1.2.3", resource: undefined, mcpPath: "/mcp", ...options };
  const { status, headers, body } = answerCard(all, exchange);
  const header = (name: string): string | undefined => headers[headers.indexOf(name) + 1];
  return { status, headers, header, body: body === undefined ? undefined : JSON.parse(String(body)) };
}

test("a card says what the service is and where it was asked", () => {
  const { status, headers, body } = ask({ host: "tools.example.org:8080" });
  expect(status).toBe(200);
  expect(headers.slice(0, 4)).toEqual([
    "Content-Type",
    "application/mcp-server-card+json",
    "Cache-Control",
    "public, max-age=3600",
  ]);
  expect(headers.slice(-2)).toEqual(["Vary", "Host"]);
  expect(body).toEqual({
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: "org.example.tools/prime-numbers",
    title: "Prime Numbers!",
    description: "Finds primes.",
    version: "1.2.3",
    remotes: [
      {
        type: "streamable-http",
        url: "http://tools.example.org:8080/mcp",
        supportedProtocolVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"],
      },
    ],
  });
});

test.each<[string, FakeRequest, Partial<ServerCardOptions>, string | undefined, string]>([
  ["https", { scheme: "https" }, {}, "https://tools.example.org/mcp", "org.example.tools"],
  [
    "a proxy with https",
    { headers: { "x-forwarded-proto": "https" } },
    {},
    "https://tools.example.org/mcp",
    "org.example.tools",
  ],
  [
    "a proxy with anything else",
    { scheme: "https", headers: { "x-forwarded-proto": "ftp" } },
    {},
    "http://tools.example.org/mcp",
    "org.example.tools",
  ],
  ["a prefix of the host", {}, { base: "/api" }, "http://tools.example.org/api/mcp", "org.example.tools"],
  ["an address", { host: "192.0.2.1" }, {}, "http://192.0.2.1/mcp", "localhost"],
  ["an address of IPv6", { host: "[2001:db8::1]:80" }, {}, "http://[2001:db8::1]/mcp", "localhost"],
  ["no Host", { host: undefined }, {}, undefined, "localhost"],
  ["a Host with a path", { host: "a.example/b" }, {}, undefined, "localhost"],
  ["a Host with a user", { host: "u@a.example" }, {}, undefined, "localhost"],
  ["a Host behind a line", { host: "a.example:80x" }, {}, undefined, "localhost"],
  ["a public address", {}, { resource: "https://a.example/mcp" }, "https://a.example/mcp", "example.a"],
  ["a public address of the service", {}, { resource: "https://a.example" }, "https://a.example/mcp", "example.a"],
  [
    "a public address and a prefix",
    {},
    { resource: "https://a.example/x", base: "/b" },
    "https://a.example/b/mcp",
    "example.a",
  ],
])("with %s", (_, request, options, url, namespace) => {
  const { body } = ask(request, options);
  expect([body.remotes?.[0].url, body.name]).toEqual([url, `${namespace}/prime-numbers`]);
});

test("the catalog leads to the card, or has it where nobody knows the address", () => {
  const { header, body } = ask({ path: catalog });
  expect(header("Content-Type")).toBe("application/ai-catalog+json");
  expect(body).toEqual({
    specVersion: "1.0",
    entries: [
      {
        identifier: "urn:air:tools.example.org:mcp:prime-numbers",
        type: "application/mcp-server-card+json",
        url: "http://tools.example.org/mcp/server-card",
      },
    ],
  });
  const [entry] = ask({ path: catalog, host: undefined }).body.entries;
  expect(entry).toEqual({
    identifier: "urn:air:localhost:mcp:prime-numbers",
    type: "application/mcp-server-card+json",
    data: ask({ host: undefined }).body,
  });
});

test("a card that the client has is not sent again", () => {
  const tag = ask({}).header("ETag") ?? "";
  expect(tag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag}`]) {
    const { status, body, header } = ask({ headers: { "if-none-match": known } });
    expect([known, status, body, header("ETag")]).toEqual([known, 304, undefined, tag]);
  }
  for (const other of ['"x"', tag.slice(1), `x W/${tag}`])
    expect(ask({ headers: { "if-none-match": other } }).status).toBe(200);
  expect(ask({ host: "other.example" }).header("ETag")).not.toBe(tag);
});

test("a card is only read", () => {
  expect(ask({ method: "HEAD" }).status).toBe(200);
  const { status, headers, body } = ask({ method: "POST" });
  expect([status, headers.slice(-2), body.detail]).toEqual([405, ["Allow", "GET, HEAD"], "Allowed here: GET, HEAD."]);
});

test("texts are cut between words, versions and names anywhere", () => {
  const words = Array.from({ length: 40 }, (_, index) => `w${index}`).join(" ");
  const long = new Service({ name: "n".repeat(300), description: words });
  const { body } = ask({}, { service: long, version: "1".repeat(300) });
  expect(body.title).toBe(`${"n".repeat(99)}…`);
  expect(body.description).toMatch(/^w0 .* w\d+…$/);
  expect(body.description.length).toBeLessThanOrEqual(100);
  expect(body.version).toHaveLength(255);
  expect(body.name).toHaveLength(200);
  const exact = new Service({ name: "n".repeat(100) });
  expect(ask({}, { service: exact }).body).toMatchObject({ title: "n".repeat(100), description: "n".repeat(100) });
  expect(ask({}, { service: new Service({ name: "–" }) }).body.name).toBe("org.example.tools/service");
});
