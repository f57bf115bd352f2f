import { describe, expect, test } from "vitest";
import {
  mergeHeaders,
  scanHeaders,
  settleHeaders,
} from "../../../../../../runtime/outside/outbound/rules/header-shapes.ts";

const add = { traceparent: "1" };
const drop = ["host"];

test("mergeHeaders adds each header under its name", () => {
  const all = {
    host: "proxy",
    "platform-job-id": "1",
    traceparent: "2",
    tracestate: "3",
    baggage: "4",
    authorization: "5",
    "platform-forward-url": "6",
  };
  expect(mergeHeaders({}, [], all)).toEqual(all);
  for (const [name, value] of Object.entries(all))
    expect(mergeHeaders({ a: "b" }, [], { [name]: value })).toEqual({ a: "b", [name]: value });
});

describe("mergeHeaders keeps the shape", () => {
  test.each([
    ["nothing", undefined, { traceparent: "1" }],
    ["null", null, { traceparent: "1" }],
    ["an object", { Host: "a", b: ["c", "d"] }, { b: ["c", "d"], traceparent: "1" }],
    ["a flat array", ["HOST", "a", "b", "c"], ["b", "c", "traceparent", "1"]],
    ["an odd array, which the client refuses", ["b", "c", "d"], ["b", "c", "d", "traceparent", "1"]],
    [
      "pairs",
      [
        ["host", "a"],
        ["b", "c"],
      ],
      [
        ["b", "c"],
        ["traceparent", "1"],
      ],
    ],
    ["an empty array", [], ["traceparent", "1"]],
    ["text, which the client refuses", "host: a", "host: a"],
  ])("%s", (_, headers, expected) => {
    expect(mergeHeaders(headers, drop, add)).toEqual(expected);
  });

  test("a property called __proto__ stays a property", () => {
    const merged = mergeHeaders(JSON.parse('{"__proto__": "a"}'), drop, add) as object;
    expect(Object.keys(merged)).toEqual(["__proto__", "traceparent"]);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  test("the author's object is not changed", () => {
    const headers = { host: "a" };
    mergeHeaders(headers, drop, add);
    expect(headers).toEqual({ host: "a" });
  });
});

describe("settleHeaders", () => {
  test("an iterator of its own counts, as for undici", () => {
    const pairs = {
      *[Symbol.iterator]() {
        yield ["a", "1"];
      },
    };
    expect(settleHeaders(pairs)).toEqual(["a", "1"]);
    expect(mergeHeaders(pairs, drop, add)).toBe(pairs);
  });

  test("a Headers object, a Map and a generator become flat", () => {
    const pairs = [
      ["a", "1"],
      ["b", "2"],
    ] as const;
    for (const headers of [new Headers([...pairs].map(([a, b]) => [a, b])), new Map(pairs), pairs.values()]) {
      expect(settleHeaders(headers)).toEqual(["a", "1", "b", "2"]);
    }
    expect(settleHeaders(new Map([["a", ["1", "2"]]]))).toEqual(["a", "1", "a", "2"]);
  });

  test("what are no pairs can still be refused by the client", () => {
    const settled = settleHeaders(new Set(["ab", "c"]));
    expect([...(settled as Iterable<unknown>)]).toEqual(["ab", "c"]);
  });

  test("other shapes come back as they are", () => {
    const headers = { a: "1" };
    expect(settleHeaders(headers)).toBe(headers);
    expect(settleHeaders(undefined)).toBeUndefined();
  });
});

describe("scanHeaders", () => {
  const yes = { authorization: true, traceparent: true, replaceable: false };
  test.each([
    ["an object", { Authorization: "a", TraceParent: "b" }],
    ["a flat array", ["authorization", "a", "traceparent", "b"]],
    [
      "pairs",
      [
        ["AUTHORIZATION", "a"],
        ["traceparent", "b"],
      ],
    ],
  ])("finds names in %s", (_, headers) => {
    expect(scanHeaders(headers)).toEqual(yes);
  });

  test.each([undefined, null, "authorization", [], [1, 2], [null, ["a"]], { a: 1 }])(
    "finds nothing in %j",
    (headers) => {
      expect(scanHeaders(headers)).toEqual({ authorization: false, traceparent: false, replaceable: false });
    },
  );

  test.each(["Platform-Job-Id", "platform-forward-url", "HOST"])("%s may have to be left out", (name) => {
    for (const headers of [{ [name]: "a" }, [name, "a"], [[name, "a"]]])
      expect(scanHeaders(headers)).toEqual({ authorization: false, traceparent: false, replaceable: true });
    expect(scanHeaders([`x${name.slice(1)}`, name]).replaceable).toBe(false);
  });

  test("a token that was added before is not the author's", () => {
    expect(scanHeaders({ authorization: "Bearer T" }, "Bearer T").authorization).toBe(false);
    expect(scanHeaders(["authorization", "Bearer T"], "Bearer T").authorization).toBe(false);
    expect(scanHeaders({ authorization: "Basic own" }, "Bearer T").authorization).toBe(true);
  });
});
