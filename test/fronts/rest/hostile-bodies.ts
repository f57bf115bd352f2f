/** A body that some JSON parser somewhere has got wrong, and whether it is legal. */
export interface HostileBody {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly legal: boolean;
}

const illegalTexts: readonly string[] = [
  "[",
  "]",
  "{",
  "}",
  "[]]",
  "[1,]",
  "[,1]",
  "[1,,2]",
  "[1 2]",
  '["a",',
  '["a"',
  "[1:2]",
  "{,}",
  '{"a"}',
  '{"a":}',
  "{a:1}",
  "{'a':1}",
  '{"a":1,}',
  '{"a":1,,"b":2}',
  '{"a" "b"}',
  "{1:1}",
  '{"a":1}x',
  '{"a":1}//',
  '{"a":/*c*/1}',
  "[1]x",
  "nul",
  "tru",
  "fals",
  "True",
  "NULL",
  "undefined",
  "Infinity",
  "-Infinity",
  "-",
  "+1",
  "01",
  "-01",
  "1.",
  ".1",
  "-.1",
  "1.e1",
  "1e",
  "1e+",
  "1E-",
  "0x1",
  "1_000",
  "1,000",
  "0b1",
  "0o7",
  "１",
  "[1.2.3]",
  "[1e1e1]",
  "[--1]",
  '"',
  '"a',
  'a"',
  "'a'",
  '"\\"',
  '"\\x"',
  '"\\u"',
  '"\\u00"',
  '"\\u00g0"',
  '"\\U0041"',
  '"\\0"',
  '"\\\n"',
  '"\t"',
  '"\n"',
  '"\0"',
  '"\x1f"',
  "\u2028",
  "[\f]",
  "[\v]",
  "[\u00a0]",
  "\u00a0[]",
  "<null>",
  "*",
  "#",
  "{}{}",
  "[][]",
  "1 2",
  '"a""b"',
  "\\u005b]",
  "[\\n]",
];

const legalTexts: readonly string[] = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "1",
  "-1",
  "1.5",
  "1e2",
  "1E+2",
  "1e-2",
  "123456789012345678901234567890",
  "0.1e-400",
  '""',
  '"a"',
  '"\\""',
  '"\\\\"',
  '"\\/"',
  '"\\b\\f\\n\\r\\t"',
  '"\\u0041"',
  '"\\ud83d\\ude00"',
  '"\\ud800"',
  '"\u2028\u2029"',
  '"\u007f"',
  '"😀"',
  '"\uFFFF"',
  "[]",
  " [ ] ",
  "\t[\n1\r,2]",
  "{}",
  '{"":1}',
  '{"a":1,"a":2}',
  '{"\\u0000":0}',
  '{"a":{"b":[{}]}}',
  "[[[[]]]]",
  '{"toString":1,"hasOwnProperty":2,"valueOf":null}',
];

/** Bodies in the spirit of the public test suites for JSON parsers, made here: grammar, encodings, cuts and flips. */
export function hostileBodies(): HostileBody[] {
  const bodies: HostileBody[] = [
    ...illegalTexts.map((text) => ({ name: JSON.stringify(text), bytes: Buffer.from(text), legal: false })),
    ...legalTexts.map((text) => ({ name: JSON.stringify(text), bytes: Buffer.from(text), legal: true })),
  ];
  const brokenUtf8: readonly (readonly number[])[] = [
    [0x80],
    [0xc3],
    [0xc3, 0x28],
    [0xe2, 0x82],
    [0xe2, 0x28, 0xa1],
    [0xf0, 0x9f, 0x98],
    [0xf4, 0x90, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xc0, 0x80],
    [0xe0, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xfe],
    [0xff],
  ];
  for (const bytes of brokenUtf8) {
    bodies.push({ name: `UTF-8 ${bytes.join(" ")}`, bytes: Buffer.from([0x22, ...bytes, 0x22]), legal: false });
    bodies.push({
      name: `UTF-8 key ${bytes.join(" ")}`,
      bytes: Buffer.from([0x7b, 0x22, ...bytes, 0x22, 0x3a, 0x31, 0x7d]),
      legal: false,
    });
  }
  const sample = Buffer.from('{"a":[1,-2.5e3,"x\\u0041\\n",{"b":null}],"c":true}');
  for (let at = 1; at < sample.length; at++) {
    bodies.push({ name: `cut at ${at}`, bytes: sample.subarray(0, at), legal: false });
    for (const byte of [0x00, 0x22, 0x5c, 0x5b, 0x7d, 0x2c, 0x2e, 0x65, 0xff]) {
      const flipped = Buffer.from(sample);
      flipped[at] = byte;
      bodies.push({ name: `byte ${byte} at ${at}`, bytes: flipped, legal: isLegal(flipped) });
    }
  }
  return bodies;
}

function isLegal(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return !JSON.stringify(value).includes("__proto__");
  } catch {
    return false;
  }
}
