import { expect, test } from "vitest";
import { summarise } from "../../../../../../runtime/fronts/mcp/results/render-result.ts";

function summary(value: unknown): string {
  return summarise(value, JSON.stringify(value));
}

test("a short result is its own summary", () => {
  expect(summary({ number: 7, isPrime: true })).toBe('{"number":7,"isPrime":true}');
});

test("long values are counted or cut, short ones stay", () => {
  const value = {
    $schema: "urn:example:schema.x.1",
    ok: true,
    note: "é".repeat(100),
    items: Array.from({ length: 90 }, (_, index) => index),
    one: [1],
    inner: { a: 1, b: 2 },
    nothing: null,
  };
  expect(summary(value)).toBe(
    [
      `ok: true`,
      `note: "${"é".repeat(59)}…"`,
      `items: 90 items`,
      `one: 1 item`,
      `inner: 2 fields`,
      `nothing: null`,
    ].join("\n"),
  );
});

test("a long list is counted", () => {
  expect(summary(Array.from({ length: 300 }, () => "x"))).toBe("300 items");
});

test("at most twenty fields are shown", () => {
  const value = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, index]));
  const lines = summary(value).split("\n");
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("… and 20 more");
});
