import type { Chance } from "../chaos/chance.ts";
import type { Contender } from "./attack.ts";
import { callText } from "./canary.ts";
import { framed } from "./wire.ts";

const values = [
  "997",
  "-1",
  "1e400",
  "4294967296",
  "1.5",
  "-0",
  '"7"',
  "null",
  "true",
  "[]",
  "{}",
  "[[[[1]]]]",
  '{"a":{"b":[1,2,3]}}',
  '"\\ud800"',
  '"\\u0000"',
  `"${"a".repeat(2e3)}"`,
  `${"[".repeat(600)}${"]".repeat(600)}`,
  '{"__proto__":{"x":1}}',
  "9".repeat(400),
];
const keys = [
  "number",
  "note",
  "tags",
  "__proto__",
  "constructor",
  "$schema",
  "",
  "NUMBER",
  "arguments",
  "_meta",
  "x".repeat(300),
];
const methods = [
  "tools/call",
  "tools/list",
  "initialize",
  "ping",
  "prompts/get",
  "resources/read",
  "tasks/get",
  "nope",
  "server/discover",
];
const splices = [
  "\0",
  "\xff\xfe",
  "}",
  "]",
  '"',
  "\\",
  ",",
  "{",
  "[",
  "\n",
  "//",
  "\u2028",
  "NaN",
  "\xc0\xaf",
  "\xed\xa0\x80",
];

/** Whole requests: calls and messages, half of them {@link broken}. */
export function* randomBodies({ rest, mcp }: Contender, count: number, chance: Chance): Generator<Buffer> {
  const paths = [rest, mcp].filter((path) => path !== undefined);
  for (let index = 0; index < count; index++) {
    const path = paths[chance.below(paths.length)] ?? "/";
    const args = randomObject(chance);
    const text = path === mcp ? randomMessage(args, chance) : args;
    yield framed(path, chance.happens(0.5) ? broken(text, chance) : text);
  }
}

function pick<Value>(list: readonly Value[], chance: Chance): Value {
  const found = list[chance.below(list.length)];
  if (found === undefined) throw new Error("The list is empty.");
  return found;
}

function randomObject(chance: Chance): string {
  const fields = Array.from(
    { length: chance.below(4) },
    () => `${JSON.stringify(pick(keys, chance))}:${pick(values, chance)}`,
  );
  return `{${[`"number":${chance.happens(0.6) ? chance.below(2 ** 20) : pick(values, chance)}`, ...fields].join(",")}}`;
}

function randomMessage(args: string, chance: Chance): string {
  if (chance.happens(0.6)) return callText(chance.happens(0.9) ? "isPrime" : "nope", args, String(chance.below(1000)));
  const params = chance.happens(0.5) ? args : pick(values, chance);
  const id = chance.happens(0.7) ? String(chance.below(1000)) : pick(values, chance);
  const message = `{"jsonrpc":${chance.happens(0.9) ? '"2.0"' : pick(values, chance)},"id":${id},"method":"${pick(methods, chance)}","params":${params}}`;
  return chance.happens(0.1) ? `[${message},${message}]` : message;
}

/** Bytes changed, cut off, doubled or put in. */
function broken(text: string, chance: Chance): Buffer {
  const bytes = Buffer.from(text);
  const at = chance.below(bytes.length);
  const to = at + chance.below(bytes.length - at);
  switch (chance.below(4)) {
    case 0:
      bytes[at] = chance.below(256);
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(splices, chance), "latin1"), bytes.subarray(at)]);
  }
}

/** Requests with odd methods, targets and headers, half of them {@link broken}. */
export function* randomHeads(contender: Contender, count: number, chance: Chance): Generator<Buffer> {
  const path = contender.rest ?? contender.mcp ?? "/";
  const lines = [
    "Content-Length: 14",
    "Content-Length: 7",
    "Content-Length: -1",
    "Content-Length: 1e3",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: xchunked",
    "Expect: 100-continue",
    "Expect: x",
    "Upgrade: h2c",
    "Connection: close",
    "Content-Encoding: gzip",
    "Host: a\r\nHost: b",
    " folded: x",
    "x\0: y",
    ": y",
    `x: ${"y".repeat(2e4)}`,
    "Range: bytes=0-",
    "Content-Type: text/plain",
  ];
  for (let index = 0; index < count; index++) {
    const method = pick(["POST", "GET", "OPTIONS", "CONNECT", "TRACE", "PRI", "post", "X".repeat(100)], chance);
    const target = pick(
      [path, "*", "//", `${path}%00`, `http://evil.example.com${path}`, `${path}?${"a".repeat(9000)}`, "\xff"],
      chance,
    );
    const some = Array.from({ length: 1 + chance.below(4) }, () => pick(lines, chance));
    const text = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${some.join("\r\n")}\r\n\r\n{"number":997}`;
    yield chance.happens(0.5) ? Buffer.from(text, "latin1") : broken(text, chance);
  }
}
