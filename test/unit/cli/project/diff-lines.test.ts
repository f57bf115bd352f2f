import { expect, test } from "vitest";
import { diffLines } from "../../../../cli/project/diff-lines.ts";

function diff(before: string, after: string): string {
  return diffLines(before.split("").join("\n"), after.split("").join("\n")).join("").replaceAll(" …", "…");
}

test.each([
  ["abc", "abc", "…"],
  ["abc", "axc", " a-b+x c"],
  ["abcd", "axyd", " a-b-c+x+y d"],
  ["abc", "abcd", "… b c+d"],
  ["abc", "bc", "-a b c"],
  ["abcdefghi", "xbcdefghy", "-a+x b c… g h-i+y"],
  ["abcabba", "cbabac", "-a-b c+b a b-b a+c"],
  ["ab", "cd", "-a-b+c+d"],
])("%s becomes %s", (before, after, expected) => {
  expect(diff(before, after)).toBe(expected);
});

/** Turns a small number to lines of few different texts, as many lines of a definition are equal. */
function textOf(number: number): string[] {
  return [...number.toString(3)];
}

test("the lines without those that were added are the old text, and without those that were removed the new one", () => {
  for (let one = 0; one < 243; one += 4) {
    for (let other = 0; other < 243; other += 7) {
      const [before, after] = [
        ["2", ...textOf(one)],
        ["0", ...textOf(other)],
      ];
      // Texts of which lines are omitted cannot be put together.
      const lines = diffLines(before.join("\n"), after.join("\n"));
      const side = (mark: string): string[] =>
        lines.flatMap((line) => (line.startsWith(" ") || line.startsWith(mark) ? line.slice(1) : []));
      if (lines.includes(" …")) continue;
      expect([side("-"), side("+")]).toEqual([before, after]);
    }
  }
});

test("two changes far from each other in a text of 100,000 lines are found at once", () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index % 40}`);
  const changed = lines.with(0, "first").with(99_999, "last").toSpliced(50_000, 0, "more");
  const started = performance.now();
  const found = diffLines(lines.join("\n"), changed.join("\n")).filter((line) => !line.startsWith(" "));
  expect(found).toEqual(["-line 0", "+first", "+more", "-line 39", "+last"]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("texts that differ in thousands of lines differ as a whole", () => {
  const [before, after] = ["a", "b"].map((name) => Array.from({ length: 20_000 }, (_, index) => `${name} ${index}`));
  const lines = diffLines([...(before ?? []), "end"].join("\n"), [...(after ?? []), "end"].join("\n"));
  expect(lines).toHaveLength(40_001);
  expect([lines[0], lines[20_000], lines.at(-1)]).toEqual(["-a 0", "+b 0", " end"]);
});
