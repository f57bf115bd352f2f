import { beforeAll, expect, test } from "vitest";
import type { ResultKind, ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { BinaryResult } from "../../../../../runtime/job/binary-result.ts";
import { encodeResult } from "../../../../../runtime/executor/run/encode-result.ts";
import { collectResult } from "../../../../../runtime/job/result-stream.ts";
import type { JobResult } from "../../../../../runtime/job/job.ts";
import { loadExplainer } from "../../../../../runtime/executor/run/load-explainer.ts";
import type { TypeModel } from "../../../../../plugin/model/type.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";
import { loadTool, toolModel } from "../../../plugin/emit/load-tool.ts";

// From then on a refused result is a throw and no promise.
beforeAll(async () => void (await loadExplainer()));

function encode(value: unknown, kind: ResultKind = "json"): JobResult {
  const { definition, functions } = fakeTool(() => 0, { resultKind: kind });
  return encodeResult(definition as ToolDefinition, functions, value) as JobResult;
}

const publicText = "The tool gave a result that does not match its type. The service's log has the reason.";

/** The reason that the log gets; callers get a fixed text. */
function refusal(value: unknown, kind: ResultKind = "json"): string {
  try {
    encode(value, kind);
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "invalid-result" || error.message !== publicText) throw error;
    return (error.cause as Error).message;
  }
  throw new Error("it was accepted");
}

const cycle: Record<string, unknown> = { a: {} };
cycle["a"] = { "x/y": cycle };
let deep: unknown = 1;
for (let level = 0; level < 600; level++) deep = [deep];
const throwing = {
  toJSON(): never {
    throw new Error("no");
  },
};
const getter = {
  get a(): never {
    throw new Error("no");
  },
};

const refused: readonly [name: string, value: unknown, reason: string][] = [
  ["a bigint", { a: 1n }, "Invalid result: JSON cannot hold bigint at /a."],
  ["a function", { a: [() => 1] }, "Invalid result: JSON cannot hold function at /a/0."],
  ["a symbol", Symbol("x"), "Invalid result: JSON cannot hold symbol."],
  ["undefined in an array", [1, undefined], "Invalid result: JSON cannot hold undefined at /1."],
  ["NaN", { a: { b: Number.NaN } }, "Invalid result: NaN at /a/b is not a JSON number."],
  ["Infinity", -Infinity, "Invalid result: -Infinity is not a JSON number."],
  ["an invalid date", [new Date(Number.NaN)], "Invalid result: the value at /0 gives no JSON of itself."],
  ["a promise", { a: Promise.resolve(1) }, "Invalid result: a promise that was not awaited at /a."],
  ["a map", [new Map([["a", 1]])], "Invalid result: a Map instead of an object at /0."],
  ["bytes", new Uint8Array(1), "Invalid result: a Uint8Array instead of an object."],
  ["a cycle", cycle, "Invalid result: a cycle at /a/x~1y."],
  ["600 levels", deep, "Invalid result: more than 512 levels of nesting."],
  ["a toJSON that throws", throwing, "Invalid result: the value cannot be encoded."],
  ["a getter that throws", getter, "Invalid result: the value cannot be encoded."],
  [
    "a toJSON that gives NaN",
    { a: { toJSON: () => Number.NaN } },
    "Invalid result: the value at /a gives no JSON of itself.",
  ],
];
for (const [name, value, reason] of refused) {
  test(`refused: ${name}`, () => {
    expect(refusal(value)).toBe(reason);
  });
}

const accepted: readonly [string, unknown, string][] = [
  ["undefined", undefined, "null"],
  ["an undefined field", { a: undefined, b: 1 }, '{"b":1}'],
  ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ["a lone surrogate", "\ud800", '"\\ud800"'],
  ["minus zero", -0, "0"],
  ["the same object twice", [deep, deep].map(() => ({ a: 1 })), '[{"a":1},{"a":1}]'],
  ["no prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
];
for (const [name, value, json] of accepted) {
  test(`accepted: ${name}`, () => {
    expect(encode(value)).toEqual({ kind: "json", json });
  });
}

test("values of another kind than the declared one", () => {
  expect(refusal(1, "text")).toBe("Invalid result: expected a string, got number.");
  expect(refusal("x", "bytes")).toBe("Invalid result: expected a Uint8Array, got string.");
  expect(refusal(null, "binary")).toBe("Invalid result: expected a BinaryResult, got null.");
  expect(encode({ whatever: 1n }, "none")).toEqual({ kind: "json", json: "null" });
});

test("the reason names places, what was expected and kinds, and no values", () => {
  const text = { kind: "string" } as const;
  const type: TypeModel = {
    kind: "object",
    fields: [
      { key: "when", type: { kind: "date" } },
      { key: "password", type: { kind: "string", minLength: 20 } },
      { key: "mode", type: { kind: "union", members: ["fast", "exact"].map((value) => ({ kind: "literal", value })) } },
      { key: "a/b", type: { kind: "array", items: { kind: "number" } } },
      { key: "name", type: text },
    ],
  };
  const { definition, encodeResult: encoded, isResult } = loadTool(toolModel({ result: { kind: "json", type } }));
  const value = { when: new Date(Number.NaN), password: "hunter2", mode: "slow", "a/b": ["12", Number.NaN, null] };
  const functions = { author: () => 0, call: () => 0, encodeResult: encoded, isResult };
  const reason = (result: unknown): string => {
    try {
      return (encodeResult(definition, functions, result) as JobResult).kind;
    } catch (error) {
      return ((error as Error).cause as Error).message;
    }
  };
  expect(reason(value)).toBe(
    "Invalid result: at /when expected date-time string such as 2026-01-31T12:00:00Z, got an invalid Date; " +
      "at /password expected string with at least 20 characters, got string; " +
      'at /mode expected "fast" | "exact", got string; ' +
      "at /a~1b/0 expected number, got string; at /a~1b/1 expected number, got NaN; at /a~1b/2 expected number, got null; " +
      "at /name expected string, got nothing.",
  );
  expect(reason({ ...value, "a/b": Array.from({ length: 50 }, () => "x") })).toMatch(/got string; and 44 more\.$/);
  expect(reason(undefined)).toBe("Invalid result: expected object, got undefined instead of an object.");
});

test("a limit of 6 MiB, counted in bytes", async () => {
  const limit = 6 * 1024 * 1024;
  const tooLarge = "The result is larger than the limit of 6291456 bytes. Store a large result as an artifact.";
  expect(encode("x".repeat(limit), "text").kind).toBe("text");
  expect(() => encode("ü".repeat(limit / 2 + 1), "text")).toThrow(tooLarge);
  expect(() => encode("ü".repeat(limit / 2))).toThrow(tooLarge);
  expect(() => encode(new Uint8Array(limit + 1), "bytes")).toThrow(tooLarge);
  expect(() => encode(new BinaryResult("a/b", "x".repeat(limit + 1)), "binary")).toThrow(tooLarge);
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(1_000_000);
  }
  await expect(collectResult(encode(new BinaryResult("a/b", endless()), "binary"))).rejects.toThrow(tooLarge);
});

test("BinaryResult takes media types only", () => {
  const noHeaders = [`a/b; n="Q3 –"`, 'a/b; n="\u0001"', 'a/b; n="\x7f"', "a/b;\n c=d", "a/b;\u00a0c=d"];
  for (const type of ["", "png", "image/", "image/png\r\nX: 1", "image/png; a", "image /png", ...noHeaders]) {
    expect(() => new BinaryResult(type, "")).toThrow(
      new TypeError(`${JSON.stringify(type)} is not a valid media type; write one such as "image/png".`),
    );
  }
  for (const type of [
    "image/png",
    "text/html; charset=utf-8",
    'multipart/mixed; boundary="a b"',
    'a/b\t; n="\t!#[]~\xe9"',
    "application/vnd.x+json;v=1",
  ]) {
    expect(new BinaryResult(type, "").contentType).toBe(type);
  }
});

test("a BinaryResult takes its content first, as Content.image does; the other order is understood", () => {
  const png = new Uint8Array([1]);
  const cases: readonly (readonly [BinaryResult, unknown, string])[] = [
    [new BinaryResult(png, "image/png"), png, "image/png"],
    [new BinaryResult("image/png", png), png, "image/png"],
    [new BinaryResult("<svg/>", "image/svg+xml"), "<svg/>", "image/svg+xml"],
    [new BinaryResult("image/svg+xml", "<svg/>"), "<svg/>", "image/svg+xml"],
    [new BinaryResult("", "text/plain"), "", "text/plain"],
    [new BinaryResult("text/plain", ""), "", "text/plain"],
  ];
  for (const [result, content, type] of cases) expect([result.content, result.contentType]).toEqual([content, type]);
  expect(() => new BinaryResult("<svg/>", "svg")).toThrow('"svg" is not a');
  expect(() => new BinaryResult(png, undefined as never)).toThrow(TypeError);
});
