import type { Chance } from "../chaos/chance.ts";
import { against } from "./attack.ts";
import type { Attack, Contender } from "./attack.ts";
import { callText, damage } from "./canary.ts";
import { countOf, emptyTally, framed, sendAll } from "./wire.ts";
import type { Tally } from "./wire.ts";

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

/** Random bodies, pipelined, and in one of 200 cases a random head on a connection of its own. */
export const attackAtRandom: Attack = async ({ tenon, peers, size, chance, log }) => {
  const ours = await flood(tenon, size.requests, chance(), log);
  const theirs: string[] = [];
  const share = Math.ceil(size.requests / 20);
  for (const peer of peers) {
    const found = await flood(peer, share, chance(), log);
    const sent = found.bodies.sent + found.bodies.unanswered;
    theirs.push(`${peer.name}, ${sent.toLocaleString("en")} of them: ${told(found)}`);
  }
  return {
    attack: "Random requests: valid ones with bytes, values, keys and messages changed",
    inputs: `${(ours.bodies.sent + ours.bodies.unanswered).toLocaleString("en")} bodies, ${ours.heads.toLocaleString("en")} heads`,
    result: told(ours),
    peers: theirs,
    breaches: [
      ...ours.bodies.examples,
      ...ours.harm,
      ...(ours.grown > 100 ? [`memory grew by ${ours.grown.toFixed(0)} MB`] : []),
    ],
  };
};

interface Flooded {
  readonly bodies: Tally;
  readonly heads: number;
  readonly harm: readonly string[];
  /** Megabytes, from after the first tenth to the end. */
  readonly grown: number;
}

function told({ bodies, harm, grown }: Flooded): string {
  const some = [2, 4, 5].map((digit) => `${countOf(bodies, digit).toLocaleString("en")} × ${digit}xx`);
  return [
    ...some,
    `${bodies.unanswered} without an answer`,
    `${grown > 0 ? "+" : ""}${grown.toFixed(0)} MB`,
    ...harm,
  ].join(", ");
}

async function flood(
  contender: Contender,
  count: number,
  chance: Chance,
  log: (text: string) => void,
): Promise<Flooded> {
  return against(contender, {}, async (target) => {
    const bodies = emptyTally();
    const heads = emptyTally();
    const parts = 10;
    let first = 0;
    for (let part = 0; part < parts; part++) {
      const many = Math.ceil(count / parts);
      await sendAll(target.port, randomBodies(contender, Math.ceil(many * 0.995), chance), bodies, {
        milliseconds: 10_000,
        patience: 50,
      });
      await sendAll(target.port, randomHeads(contender, Math.floor(many * 0.005), chance), heads, {
        connections: 16,
        depth: 1,
        milliseconds: 300,
      });
      if (target.ended !== undefined) break;
      if (part === 0) first = (await target.memory()) ?? 0;
      log(`${contender.name}: ${bodies.sent.toLocaleString("en")} requests`);
    }
    const grown = ((await target.memory()) ?? first) - first;
    // A head that says less than it sends leaves nothing to answer; a 5xx is wrong all the same.
    const wrong = heads.examples.filter((text) => /^5(?!01|05)/.test(text));
    bodies.examples.push(...wrong);
    return { bodies, heads: heads.sent + heads.unanswered, harm: await damage(contender, target), grown };
  });
}

function* randomBodies({ rest, mcp }: Contender, count: number, chance: Chance): Generator<Buffer> {
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

function* randomHeads(contender: Contender, count: number, chance: Chance): Generator<Buffer> {
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
