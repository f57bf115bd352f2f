import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emitClient } from "../../cli/client/emit-client.ts";
import { compareInThread } from "../../cli/contracts/against/check-against.ts";
import { parseContract, parseDescriptions } from "../../cli/contracts/parse-contract.ts";
import type { Contract } from "../../cli/contracts/contract.ts";

/** Commands that read services that nobody should trust: `tenon client`, `tenon check --against` and `tenon call`. */

const service = (tools: readonly object[], more: object = {}): string =>
  JSON.stringify({ name: "s", version: "1.0.0", tools, ...more });
const tool = (request: unknown, result: unknown = { type: "object" }, more: object = {}): object => ({
  name: "a",
  path: "/tool/a",
  "request-schema": request,
  "result-schema": result,
  ...more,
});
const fields = (properties: object): object => ({ type: "object", properties });

/** Texts that would be code if one of them left its place. */
const code = (mark: string): readonly string[] =>
  ["", "*/", '"];', "`;", "}", "\n", "\u2028", "//", "**/", "*/}\n"].map((start) => `${start}evil_${mark}();/*`);
const hostileNames: readonly string[] = ["name", "key", "text", "version", "definition"].flatMap(code);

describe("the file of tenon client", () => {
  test.each(hostileNames)("%j does not become code in it", (hostile) => {
    const schema = {
      type: "object",
      description: hostile,
      properties: {
        [hostile]: { type: "string", description: hostile, default: hostile, deprecated: hostile, const: hostile },
        list: { $ref: `#/$defs/${hostile}` },
        choice: { enum: [hostile, 1] },
        gone: { $ref: "#/$defs/constructor" },
      },
      $defs: { [hostile]: { type: "object", properties: { a: { type: "string" } } } },
    };
    const definition = service([tool(schema, schema, { name: hostile, description: hostile })], {
      name: hostile,
      version: hostile,
    });
    const file = ts.createSourceFile("api.ts", emitClient(contractOf(definition)), ts.ScriptTarget.Latest, true);
    expect((file as unknown as { readonly parseDiagnostics: readonly unknown[] }).parseDiagnostics).toEqual([]);
    expect(identifiersOf(file).filter((name) => name.startsWith("evil"))).toEqual([]);
  });

  test.each([
    ["type", fields({ a: { type: "number }; evil(); interface Q {" } })],
    ["class", fields({ a: { type: "string", "x-type": "string }; evil(); interface Q {" } })],
    ["no object", 7],
    ["required", { type: "object", required: 5, properties: { a: {} } }],
    ["fields", { type: "object", properties: 5 }],
    ["field", fields({ a: null })],
    ["elements", { type: "array", prefixItems: 7 }],
    ["choices", { anyOf: {} }],
    ["bound", { type: "number", minimum: "x" }],
    ["pattern", { type: "string", pattern: "(" }],
    ["pattern of keys", { type: "object", patternProperties: { "(": {} } }],
    ["nested pattern", { type: "string", pattern: "(".repeat(9000) + ")".repeat(9000) }],
    ["loop", { $ref: "#/$defs/A", $defs: { A: { anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/A" }] } } }],
    ["definitions", { $defs: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`D${index}`, {}])) }],
  ])("a schema is refused for its form: %s", (_, schema) => {
    expect(parseContract(service([tool(schema)]))).toMatch(/^request-schema of tool "a" cannot be read: /);
    expect(parseContract(service([tool({}, schema)]))).toMatch(/^result-schema of tool "a" cannot be read: /);
    expect(parseDescriptions(JSON.stringify({ name: "a", fn_schema: schema }))).toMatch(
      /^fn_schema of tool "a" cannot/,
    );
  });

  test("a path that would lengthen the name of the host is refused", () => {
    expect(parseContract(service([tool({}, {}, { path: "@evil.example.com/a" })]))).toMatch(/begin with a slash/);
  });

  test("depth is bounded", () => {
    const deep = `${'{"type":"array","items":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
    expect(parseContract(service([tool("DEEP")]).replace('"DEEP"', deep))).toMatch(/nested more than/);
  });
});

test("a comparison that would take for ever is ended", async () => {
  const [old, now] = ["^(a+)+$", "^a{60}!$"].map((pattern) =>
    contractOf(service([tool(fields({ x: { type: "string", pattern } }))])),
  );
  await expect(compareInThread("https://evil.example.com", old as Contract, now as Contract, 3)).rejects.toThrow(
    "https://evil.example.com cannot be compared: it takes more than 3 seconds.",
  );
});

describe("commands", () => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    const { url = "" } = request;
    hits.push(url);
    if (url.startsWith("/away")) response.writeHead(307, { location: `http://localhost:${port()}/internal` }).end();
    else if (url.startsWith("/file")) response.writeHead(302, { location: "file:///etc/passwd" }).end();
    else if (url.startsWith("/names"))
      response.end(JSON.stringify({ paths: { "/x": { post: { operationId: `b${escape}` } } } }));
    else if (url.startsWith("/huge")) {
      const block = Buffer.alloc(2 ** 20, " ");
      const write = (): void => void (!response.destroyed && response.write(block, write));
      write();
    } else if (url.startsWith("/mcp")) void answerMcp(request, response);
    else response.writeHead(404).end();
  });
  /** Refuses each request of MCP with a hostile text. */
  async function answerMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id } = JSON.parse((await text(request)) || "{}") as { readonly id?: number };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: escape } }));
  }
  const port = (): number => (server.address() as AddressInfo).port;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const escape = "\u001B]0;owned\u0007\u001B[2J\u009B31m\u202Ereversed\nINFO spoofed";
  /** Runs a command; gives all that it writes. */
  async function run(...words: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, ["cli/main.ts", ...words], { stdio: ["ignore", "pipe", "pipe"] });
    const [out, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return out + problem;
  }

  test("no redirect is followed", async () => {
    const address = `http://127.0.0.1:${port()}`;
    const told = await Promise.all([
      run("client", `${address}/away`),
      run("client", `${address}/file`),
      run("call", "a", "{}", "--url", `${address}/away`),
      run("call", "a", "{}", "--mcp", "--url", `${address}/away`),
    ]);
    expect(told[0]).toBe(
      `tenon: ${address}/away/service.json sends callers on to http://localhost:${port()}/internal. If you trust that, give its address.\n`,
    );
    for (const one of told) expect(one).toMatch(/^tenon: .* sends callers on to .*\n$/);
    expect(hits.filter((url) => url.startsWith("/internal"))).toEqual([]);
  });

  test("an answer without an end is cut off", async () => {
    expect(await run("client", `http://127.0.0.1:${port()}/huge`)).toMatch(
      /^tenon: .* answered with more than \d+ bytes\.\n$/,
    );
  });

  test("texts of a service control no terminal", async () => {
    const address = `http://127.0.0.1:${port()}`;
    const told = await Promise.all([
      run("call", "a", "{}", "--url", `${address}/names`),
      run("call", "a", "{}", "--mcp", "--url", address),
    ]);
    for (const one of told) {
      expect(one).toContain(String.raw`\u001b]0;owned\u0007\u001b[2J\u009b31m\u202ereversed`);
      expect(one).not.toMatch(/(?!\n)[\p{Cc}\u202E]/u);
    }
    expect(told[0]?.trimEnd().split("\n")).toHaveLength(1);
  });
});

function contractOf(definition: string): Contract {
  const contract = parseContract(definition);
  if (typeof contract === "string") throw new Error(contract);
  return contract;
}

function identifiersOf(node: ts.Node): readonly string[] {
  const own = ts.isIdentifier(node) ? [node.text] : [];
  return [...own, ...node.getChildren().flatMap(identifiersOf)];
}
