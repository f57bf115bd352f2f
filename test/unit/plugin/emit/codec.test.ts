import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ObjectType, TypeModel } from "../../../../plugin/model/type.ts";
import { EncodeError } from "../../../../runtime/contract/validation/codecs/encode-error.ts";
import { reportProblems } from "../../../../runtime/contract/validation/report/report.ts";
import { typeCases } from "./arbitrary-type.ts";
import { mutated, wireOf } from "./arbitrary-wire.ts";
import { loadField, loadTool, toolModel } from "./load-tool.ts";

const runs = Number(process.env["AGREEMENT_RUNS"] ?? 100);
const seed = Number(process.env["AGREEMENT_SEED"] ?? 20261120);

function object(...fields: ObjectType["fields"]): ObjectType {
  return { kind: "object", fields };
}
const string: TypeModel = { kind: "string" };
const number: TypeModel = { kind: "number" };

describe(`random types (seed ${seed})`, () => {
  test("what was decoded encodes to a legal value, and decodes to the same again", { timeout: 700_000 }, () => {
    let decodedValues = 0;
    const cases = typeCases.chain((typeCase) =>
      fc.record({
        typeCase: fc.constant(typeCase),
        values: fc.array(fc.oneof(wireOf(typeCase), mutated(wireOf(typeCase))), { minLength: 6, maxLength: 8 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ typeCase: { type, definitions }, values }) => {
        const { isRequest, decodeRequest, encodeResult, isResult } = loadTool(
          toolModel({ request: { type }, result: { kind: "json", type }, definitions }),
        );
        for (const wire of values) {
          if (!isRequest(wire)) continue;
          decodedValues++;
          const before = JSON.stringify(wire);
          const decoded = decodeRequest(wire);
          expect(JSON.stringify(wire)).toBe(before);
          const encoded = encodeResult(decoded);
          // Elements that differ only in spelling (of a time) or in unknown keys fall together: a set is refused then.
          if (!isResult(encoded) && /uniqueItems|"set"/.test(JSON.stringify([type, definitions]))) continue;
          expect({ type, wire, encoded, legal: isResult(encoded) }).toEqual({ type, wire, encoded, legal: true });
          // A `Map` and a record of one union look alike on the wire once unknown keys are gone.
          const types = JSON.stringify([type, definitions]);
          const isAmbiguous = types.includes('"union"') && types.includes('"map"');
          const again = encodeResult(decodeRequest(encoded));
          expect(isAmbiguous ? encoded : again).toEqual(encoded);
        }
      }),
      { numRuns: runs, seed },
    );
    expect(decodedValues).toBeGreaterThan(runs / 10);
  });
});

describe("decodeRequest", () => {
  test("makes a fresh object of declared keys", () => {
    const { decodeRequest } = loadField(object({ key: "a", type: { kind: "array", items: number } }));
    const wire = { value: { a: [1], extra: true }, extra: 1 };
    const decoded = decodeRequest(wire) as { value: { a: number[] } };
    expect(decoded).toEqual({ value: { a: [1] } });
    expect(decoded.value).not.toBe(wire.value);
    expect(decoded.value.a).not.toBe(wire.value.a);
  });

  test("fills defaults in, decoded and fresh each time", () => {
    const type = object(
      { key: "when", type: { kind: "date" }, optional: true, default: "2026-01-31T12:00:00Z" },
      { key: "list", type: { kind: "array", items: string }, optional: true, default: ["x"] },
      { key: "none", type: string, optional: true },
    );
    const { isRequest, decodeRequest } = loadTool(toolModel({ request: { type } }));
    expect(isRequest({})).toBe(true);
    const decoded = decodeRequest({}) as { when: Date; list: string[] };
    expect(decoded).toEqual({ when: new Date("2026-01-31T12:00:00Z"), list: ["x"] });
    expect(Object.keys(decoded)).toEqual(["when", "list"]);
    decoded.list.push("y");
    expect(decodeRequest({})).toEqual({ when: new Date("2026-01-31T12:00:00Z"), list: ["x"] });
  });

  test("makes dates, URLs, bigints, bytes, sets and maps", () => {
    const type = object(
      { key: "date", type: { kind: "date" } },
      { key: "url", type: { kind: "url" } },
      { key: "bigint", type: { kind: "bigint" } },
      { key: "bytes", type: { kind: "bytes" } },
      { key: "buffer", type: { kind: "bytes", buffer: true } },
      { key: "set", type: { kind: "set", items: { kind: "date" } } },
      { key: "map", type: { kind: "map", values: { kind: "bigint" } } },
    );
    const { isRequest, decodeRequest, encodeResult, isResult } = loadTool(
      toolModel({ request: { type }, result: { kind: "json", type } }),
    );
    const wire = {
      date: "2016-12-31T23:59:60Z",
      url: "https://example.org/a?b#c",
      bigint: "123456789012345678901234567890",
      bytes: "QUJD",
      buffer: "QUI=",
      set: ["2026-01-31T12:00:00.000Z"],
      map: JSON.parse('{"__proto__":"1","b":"-2"}') as object,
    };
    expect(isRequest(wire)).toBe(true);
    const decoded = decodeRequest(wire) as Record<string, unknown>;
    expect(decoded).toEqual({
      date: new Date("2017-01-01T00:00:00Z"),
      url: new URL("https://example.org/a?b#c"),
      bigint: 123456789012345678901234567890n,
      bytes: new Uint8Array([65, 66, 67]),
      buffer: Buffer.from("AB"),
      set: new Set([new Date("2026-01-31T12:00:00Z")]),
      map: new Map([
        ["__proto__", 1n],
        ["b", -2n],
      ]),
    });
    expect((decoded["bytes"] as Uint8Array).buffer.byteLength).toBe(3);
    expect(Buffer.isBuffer(decoded["buffer"])).toBe(true);
    const encoded = encodeResult(decoded);
    expect(isResult(encoded)).toBe(true);
    expect(encoded).toEqual({ ...wire, date: "2017-01-01T00:00:00.000Z" });
  });

  test("copies the keys of an index signature, whatever their names", () => {
    const type: TypeModel = {
      kind: "object",
      fields: [{ key: "id", type: string }],
      index: { kind: "union", members: [string, { kind: "date" }] },
    };
    const { decodeRequest } = loadTool(toolModel({ request: { type } }));
    const decoded = decodeRequest(JSON.parse('{"id":"x","__proto__":"p","constructor":"c"}')) as Record<
      string,
      unknown
    >;
    expect(Object.keys(decoded)).toEqual(["id", "__proto__", "constructor"]);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["p"]).toBeUndefined();
  });

  test("copies the keys that match a pattern, and joins what several patterns make of one", () => {
    const item = (key: string): TypeModel => object({ key, type: { kind: "date" }, optional: true });
    const type: TypeModel = {
      ...object({ key: "id", type: string }),
      patterns: [
        { pattern: "^a", text: "`a${string}`", type: item("first") },
        { pattern: "z$", text: "`${string}z`", type: item("second") },
      ],
    };
    const { decodeRequest, encodeResult } = loadTool(toolModel({ request: { type }, result: { kind: "json", type } }));
    const time = "2026-01-31T12:00:00.000Z";
    const wire = { id: "i", a: { first: time }, az: { first: time, second: time, third: time }, b: 1 };
    const decoded = decodeRequest(wire);
    const date = new Date(time);
    expect(decoded).toEqual({ id: "i", a: { first: date }, az: { first: date, second: date } });
    expect(encodeResult({ ...(decoded as object), b: 1, z: undefined })).toEqual({
      id: "i",
      a: { first: time },
      az: { first: time, second: time },
    });
  });

  test("joins what several patterns, or members of a union, make of one at any depth", () => {
    const one = (key: string): TypeModel => object({ key, type: { kind: "date" }, optional: true });
    const within = (inner: TypeModel): ObjectType =>
      object(
        { key: "list", type: { kind: "array", items: inner } },
        { key: "map", type: { kind: "map", values: inner } },
        { key: "set", type: { kind: "set", items: inner } },
        { key: "pair", type: { kind: "tuple", elements: [{ type: inner }], rest: inner } },
      );
    const type: ObjectType = {
      ...object(),
      patterns: [
        { pattern: "^a", text: "`a${string}`", type: within(one("first")) },
        { pattern: "z$", text: "`${string}z`", type: within(one("second")) },
      ],
    };
    const both = loadTool(toolModel({ request: { type }, result: { kind: "json", type } }));
    const time = "2026-01-31T12:00:00.000Z";
    const item = { first: time, second: time };
    const wire = { az: { list: [item], map: { k: item }, set: [item], pair: [item, item] } };
    const date = new Date(time);
    const made = { first: date, second: date };
    const decoded = both.decodeRequest(wire);
    const map = new Map([["k", made]]);
    expect(decoded).toEqual({ az: { list: [made], map, set: new Set([made]), pair: [made, made] } });
    expect(both.encodeResult(decoded)).toEqual(wire);

    const list = (...keys: readonly string[]): TypeModel => ({
      kind: "array",
      items: object({ key: "at", type: object(...keys.map((key) => ({ key, type: number }))) }),
    });
    const union = loadField({ kind: "union", members: [list("a"), list("a", "b"), string] });
    const value = [{ at: { a: 1, b: 2 } }];
    expect(union.decodeRequest({ value })).toEqual({ value });
    expect(union.encodeResult({ value })).toEqual({ value });
    expect(union.encodeResult({ value: [{ at: { a: 1, b: "no", c: 3 } }] })).toEqual({ value: [{ at: { a: 1 } }] });
    expect(union.decodeRequest({ value: "text" })).toEqual({ value: "text" });
  });

  test("carries `$schema` only where the type declares it", () => {
    const type: TypeModel = { kind: "object", fields: [{ key: "a", type: number }], urn: "urn:x:1" };
    expect(loadTool(toolModel({ request: { type } })).decodeRequest({ $schema: "urn:x:1", a: 1 })).toEqual({ a: 1 });
    const declared: TypeModel = { ...type, urnDeclared: true };
    expect(loadTool(toolModel({ request: { type: declared } })).decodeRequest({ a: 1 })).toEqual({
      $schema: "urn:x:1",
      a: 1,
    });
  });

  test("tells the members of a union apart", () => {
    const circle = object(
      { key: "kind", type: { kind: "literal", value: "circle" } },
      { key: "since", type: { kind: "date" } },
    );
    const square = object({ key: "kind", type: { kind: "literal", value: "square" } }, { key: "size", type: number });
    const { decodeRequest, encodeResult } = loadField({
      kind: "union",
      members: [circle, square, { kind: "literal", value: null }, { kind: "bigint" }],
    });
    expect(decodeRequest({ value: { kind: "circle", since: "2026-01-31T12:00:00Z", size: 1 } })).toEqual({
      value: { kind: "circle", since: new Date("2026-01-31T12:00:00Z") },
    });
    expect(decodeRequest({ value: null })).toEqual({ value: null });
    expect(decodeRequest({ value: "12" })).toEqual({ value: 12n });
    expect(encodeResult({ value: { kind: "square", size: 2, extra: 1 } })).toEqual({
      value: { kind: "square", size: 2 },
    });
    expect(encodeResult({ value: 12n })).toEqual({ value: "12" });
  });

  test("keeps the keys of every member that fits when no field tells them apart", () => {
    const first = object({ key: "a", type: string });
    const second = object({ key: "a", type: string }, { key: "b", type: number, optional: true });
    const { decodeRequest, encodeResult } = loadField({ kind: "union", members: [first, second] });
    expect(decodeRequest({ value: { a: "x", b: 1, c: 2 } })).toEqual({ value: { a: "x", b: 1 } });
    expect(encodeResult({ value: { a: "x", b: 1, c: 2 } })).toEqual({ value: { a: "x", b: 1 } });
    expect(decodeRequest({ value: { a: "x", b: "no" } })).toEqual({ value: { a: "x" } });
  });
});

describe("encodeResult", () => {
  test("puts `$schema` first, keeps declared fields, drops `undefined`", () => {
    const type: TypeModel = {
      kind: "object",
      urn: "urn:x:1",
      fields: [
        { key: "a", type: number },
        { key: "b", type: number, optional: true },
      ],
    };
    const { encodeResult, isResult } = loadTool(toolModel({ result: { kind: "json", type } }));
    const encoded = encodeResult({ b: undefined, secret: 1, a: 1, $schema: "urn:wrong" });
    expect(JSON.stringify(encoded)).toBe('{"$schema":"urn:x:1","a":1}');
    expect(isResult(encoded)).toBe(true);
    expect(isResult({ a: 1 })).toBe(false);
  });

  test("reads accessors of class instances", () => {
    class Point {
      readonly #x = 3;
      get x(): number {
        return this.#x;
      }
    }
    const { encodeResult } = loadTool(
      toolModel({ result: { kind: "json", type: object({ key: "x", type: number }) } }),
    );
    expect(encodeResult(new Point())).toEqual({ x: 3 });
  });

  const date: TypeModel = { kind: "date" };
  const optional = object({ key: "a", type: string, optional: true });
  test.each<[string, TypeModel, unknown, string]>([
    ["an invalid date", date, new Date(Number.NaN), "got an invalid Date"],
    ["a year beyond 9999", date, new Date(8.64e15), "got a Date outside the years 0 to 9999"],
    ["a text instead of a date", date, "2026-01-31T12:00:00Z", "got a string instead of a Date"],
    ["a number instead of a bigint", { kind: "bigint" }, 5, "got a number instead of a bigint"],
    ["base64 instead of bytes", { kind: "bytes" }, "QUJD", "got a string instead of bytes"],
    ["a text instead of a URL", { kind: "url" }, "https://example.org", "got a string instead of a URL"],
    [
      "an array instead of a set",
      { kind: "set", items: number },
      [1],
      "got an object of another class instead of a Set",
    ],
    [
      "an object instead of a map",
      { kind: "map", values: number },
      { a: 1 },
      "got an object of another class instead of a Map",
    ],
    [
      "a map with numbers as keys",
      { kind: "map", values: number },
      new Map([[1, 1]]),
      "got a Map with a number as key",
    ],
    ["a map instead of an object", optional, new Map(), "got a Map instead of an object"],
    ["a promise that was not awaited", optional, Promise.resolve({}), "got a promise that was not awaited"],
    ["a date instead of an object", optional, new Date(0), "got a Date instead of an object"],
    ["NaN", number, Number.NaN, 'got "NaN"'],
    ["a tuple that is too long", { kind: "tuple", elements: [{ type: number }] }, [1, 2], "got [1,2]"],
    ["a hole in an array", { kind: "array", items: number }, Object.assign([1], { 2: 2 }), ""],
    ["null instead of an object", optional, null, "got null instead of an object"],
  ])("refuses %s", (_name, type, value, text) => {
    const { encodeResult, isResult, definition } = loadField(type);
    const encoded = encodeResult({ value });
    expect(isResult(encoded)).toBe(false);
    const problems = reportProblems(definition.result.schema ?? {}, encoded);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toMatch(/^\/value/);
    expect(problems[0]?.message).toContain(text);
  });

  test("ends a result that contains itself with an EncodeError", () => {
    const node = object({ key: "next", type: { kind: "ref", name: "Node" }, optional: true });
    const { encodeResult } = loadTool(
      toolModel({ result: { kind: "json", type: { kind: "ref", name: "Node" } }, definitions: { Node: node } }),
    );
    const loop: { next?: unknown } = {};
    loop.next = loop;
    expect(() => encodeResult(loop)).toThrow(EncodeError);
    expect(encodeResult({ next: { next: {} } })).toEqual({ next: { next: {} } });
  });

  test("cuts missing optional elements off a tuple", () => {
    const { encodeResult, isResult } = loadField({
      kind: "tuple",
      elements: [{ type: number }, { type: date, optional: true }],
    });
    expect(encodeResult({ value: [1] })).toEqual({ value: [1] });
    expect(encodeResult({ value: [1, undefined] })).toEqual({ value: [1] });
    expect(isResult(encodeResult({ value: [undefined] }))).toBe(false);
    expect(isResult(encodeResult({ value: [] }))).toBe(false);
  });

  test("escapes what a URI may not hold", () => {
    const { encodeResult, decodeRequest, isResult } = loadField({ kind: "url" });
    for (const text of [
      'http://a.de/|^`{}\\[x]?"<>#a#b',
      "http://[::1]/[",
      "http://a.de/%zz%",
      "data:text/plain,a b",
      "http://ä.de/ö",
    ]) {
      const encoded = encodeResult({ value: new URL(text) }) as { value: string };
      expect([text, isResult(encoded)]).toEqual([text, true]);
      const decoded = decodeRequest(encoded) as { value: URL };
      expect(encodeResult(decoded)).toEqual(encoded);
    }
  });

  test("takes no exponential time where the members of a recursive union are tried in turn", () => {
    const link = (key: string): TypeModel =>
      object(
        { key: "next", type: { kind: "ref", name: "Link" }, optional: true },
        { key, type: number, optional: true },
      );
    const definitions = { Link: { kind: "union", members: [link("a"), link("b"), link("c")] } as TypeModel };
    const type: TypeModel = { kind: "ref", name: "Link" };
    const either = {
      key: "next",
      type: {
        kind: "union",
        members: [
          { kind: "ref", name: "One" },
          { kind: "ref", name: "Two" },
        ],
      },
      optional: true,
    };
    const inline = {
      One: {
        kind: "object",
        fields: [either],
      },
      Two: {
        kind: "object",
        fields: [either, { key: "b", type: number, optional: true }],
      },
    } as Record<string, TypeModel>;
    const cases = [
      toolModel({ request: { type: object({ key: "value", type }) }, result: { kind: "json", type }, definitions }),
      toolModel({
        request: { type: object({ key: "value", type: { kind: "ref", name: "Two" } }) },
        result: { kind: "json", type: { kind: "ref", name: "Two" } },
        definitions: inline,
      }),
    ];
    for (const model of cases) {
      const { isRequest, decodeRequest, encodeResult, isResult } = loadTool(model);
      let value: object = { next: 1 };
      for (let depth = 0; depth < 100; depth++) value = { next: value, b: depth };
      expect(isRequest({ value })).toBe(false);
      let legal: object = { b: 1 };
      for (let depth = 0; depth < 100; depth++) legal = { next: legal, b: depth };
      expect(isRequest({ value: legal })).toBe(true);
      expect(decodeRequest({ value: legal })).toEqual({ value: legal });
      expect(encodeResult(legal)).toEqual(legal);
      expect(isResult(legal)).toBe(true);
    }
  });

  test("leaves out encoder and validator where nothing is to do", () => {
    const { emitted } = loadTool(toolModel({ result: { kind: "json", type: { kind: "unknown" } } }));
    expect(emitted.code).not.toContain("encodeResult");
    expect(emitted.code).not.toContain("isResult");
    expect(loadTool(toolModel({ result: { kind: "text", type: string } })).emitted.code).toContain("isResult");
  });
});
