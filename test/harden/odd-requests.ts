import { gzipSync } from "node:zlib";
import { callText } from "./canary.ts";

/** Bytes that a stranger sends on one connection, and the statuses that come back before it is closed. */
export interface OddRequest {
  readonly name: string;
  readonly bytes: Buffer;
  readonly statuses: readonly number[];
}

const call = '{"number":7}';
const json = "Content-Type: application/json";
const close = "Connection: close";

/** A request with these lines. The length of its body is said, unless a line says it. */
function request(start: string, lines: readonly string[], body: string | Buffer = ""): Buffer {
  const isSaid = lines.some((line) => /^(?:content-length|transfer-encoding)/i.test(line)) || !start.startsWith("POST");
  const length = isSaid ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.concat([
    Buffer.from(`${[start, ...lines, ...length].join("\r\n")}\r\n\r\n`, "latin1"),
    Buffer.from(body),
  ]);
}

const post = (path: string, body: string | Buffer, ...lines: readonly string[]): Buffer =>
  request(`POST ${path} HTTP/1.1`, ["Host: localhost", json, close, ...lines], body);
const get = (target: string, ...lines: readonly string[]): Buffer =>
  request(`GET ${target} HTTP/1.1`, ["Host: localhost", close, ...lines]);
const deep = (levels: number): string => `{"number":${"[".repeat(levels)}${"]".repeat(levels)}}`;
const invalidText = (...bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes), Buffer.from('"}')]);
const bomb = gzipSync(Buffer.alloc(50_000_000));
const polluting = '{"number":7,"__proto__":{"isPrime":1},"constructor":{"prototype":{"isPrime":1}}}';

/**
 * Framing, targets, encodings and keys that parsers disagree about. `rest` and `mcp` are paths of the attacked service.
 */
export function oddRequests(rest: string, mcp: string): readonly OddRequest[] {
  const all: readonly (readonly [name: string, bytes: Buffer, ...statuses: readonly number[]])[] = [
    ["a query of a megabyte", get(`${rest}?${"a".repeat(1_000_000)}`), 431],
    ["a query of 10 kB", post(`${rest}?${"a=b&".repeat(2500)}`, call), 200],
    ["keys of prototypes in a query", get("/jobs?limit=__proto__&before=constructor"), 400],
    [
      "multipart",
      request(
        `POST ${rest} HTTP/1.1`,
        ["Host: localhost", close, "Content-Type: multipart/form-data; boundary=x"],
        "--x--",
      ),
      415,
    ],
    [
      "a form",
      request(
        `POST ${rest} HTTP/1.1`,
        ["Host: localhost", close, "Content-Type: application/x-www-form-urlencoded"],
        "number=7",
      ),
      415,
    ],
    [
      "plain text, which pages may send",
      request(`POST ${rest} HTTP/1.1`, ["Host: localhost", close, "Content-Type: text/plain"], call),
      415,
    ],
    ["JSON of 510 levels", post(rest, deep(510)), 422],
    ["JSON of 100,000 levels", post(rest, deep(100_000)), 400],
    ["the same over MCP", post(mcp, callText("isPrime", deep(100_000))), 400],
    ["a key twice", post(rest, '{"number":8,"number":7}'), 200],
    ["keys of prototypes", post(rest, polluting), 400],
    ["the same over MCP", post(mcp, callText("isPrime", polluting)), 400],
    ["a prototype instead of a key", post(rest, '{"__proto__":{"number":7}}'), 400],
    ["a prototype's key, escaped", post(rest, '{"\\u005f_proto__":{"number":7}}'), 400],
    ["a route with the name of a prototype", post("/__proto__", call), 404],
    ["UTF-8 that is too long", post("/tool/echo", invalidText(0xc0, 0xaf)), 400],
    ["half a surrogate as UTF-8", post("/tool/echo", invalidText(0xed, 0xa0, 0x80)), 400],
    ["UTF-16", post("/tool/echo", Buffer.from('{"text":"a"}', "utf16le")), 400],
    ["50 MB in 50 kB of gzip", post(rest, bomb, "Content-Encoding: gzip"), 415],
    ["the same over MCP", post(mcp, bomb, "Content-Encoding: gzip"), 415],
    ["Expect: 100-continue", post(rest, call, "Expect: 100-continue"), 100, 200],
    ["the same with too much", post(rest, "", "Expect: 100-continue", "Content-Length: 99999999"), 413],
    ["another expectation", post(rest, call, "Expect: 200-ok"), 417],
    ["HTTP/1.0 without Host", request(`POST ${rest} HTTP/1.0`, [json], call), 403],
    ["HTTP/1.0 with a foreign Host", request(`POST ${rest} HTTP/1.0`, ["Host: evil.example", json], call), 403],
    ["a target with the service's host", post(`http://localhost${rest}`, call), 200],
    ["a target with another host", post(`http://evil.example${rest}`, call), 403],
    ["a target in another's name", get("//evil.example/docs"), 404],
    ["dots in a target", get("/docs/%2e%2e/../etc/passwd"), 404],
    ["a tunnel", request("CONNECT localhost:80 HTTP/1.1", ["Host: localhost"])],
    [
      "a request behind the body of another",
      Buffer.concat([
        request(`POST ${rest} HTTP/1.1`, ["Host: localhost", json, "Authorization: Bearer a"], call),
        get("/jobs"),
      ]),
      200,
      200,
    ],
    [
      "a body longer than said",
      post(rest, `${call}GET /jobs HTTP/1.1\r\nHost: localhost\r\n\r\n`, "Content-Length: 12"),
      200,
    ],
    ["two lengths", post(rest, call, "Content-Length: 12", "Content-Length: 0"), 400],
    ["a list of lengths", post(rest, call, "Content-Length: 12, 12"), 400],
    ["a length with a sign", post(rest, call, "Content-Length: +12"), 400],
    ["a blank before the colon", post(rest, call, "Content-Length : 12"), 400],
    ["a folded line", post(rest, call, "X-A: a\r\n b: c"), 400],
    ["a zero byte in a line", post(rest, call, "X-A: a\0b"), 400],
    [
      "line feeds alone",
      Buffer.from(`POST ${rest} HTTP/1.1\nHost: localhost\n${json}\nContent-Length: 12\n\n${call}`),
      400,
    ],
    [
      "30 kB beside a chunk's length",
      post(rest, `c;${"a".repeat(30_000)}\r\n${call}\r\n0\r\n\r\n`, "Transfer-Encoding: chunked"),
      400,
    ],
    [
      "a length in the trailer",
      post(rest, `c\r\n${call}\r\n0\r\nContent-Length: 5\r\n\r\n`, "Transfer-Encoding: chunked"),
      400,
    ],
    ["the preface of HTTP/2", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400],
    ["TLS", Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), 400],
  ];
  return all.map(([name, bytes, ...statuses]) => ({ name, bytes, statuses }));
}
