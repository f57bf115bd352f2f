import { expect, test } from "vitest";
import { type Line, splitLines } from "../../../../../../runtime/fronts/mcp/stdio/split-lines.ts";

function linesOf(chunks: readonly string[], limit = 100): string[] {
  const lines: string[] = [];
  const split = splitLines(limit, (line: Line) =>
    lines.push("begin" in line ? `<${line.begin.toString()}|${line.end.toString()}>` : line.toString()),
  );
  for (const chunk of chunks) split(Buffer.from(chunk));
  split();
  return lines;
}

test.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b\nc"],
    ["ab", "c"],
  ],
  [
    ["a\r", "\nb\r\n"],
    ["a", "b"],
  ],
  [["\n\na\n\n"], ["a"]],
  [[], []],
])("%j", (chunks, lines) => {
  expect(linesOf(chunks)).toEqual(lines);
});

test("every way to cut a stream gives the same lines", () => {
  const text = "first\nsecönd\n\nthird";
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const lines: string[] = [];
    const split = splitLines(100, (line) => lines.push(line.toString()));
    split(bytes.subarray(0, cut));
    split(bytes.subarray(cut));
    split();
    expect(lines).toEqual(["first", "secönd", "third"]);
  }
});

test("a line over the limit is reported once, and the next one is read", () => {
  expect(linesOf(["abcdef", "ghijkl", "\nok\n", "abcdefghijk"], 10)).toEqual([
    "<abcdefghijkl|abcdefghijkl>",
    "ok",
    "<abcdefghijk|abcdefghijk>",
  ]);
});
