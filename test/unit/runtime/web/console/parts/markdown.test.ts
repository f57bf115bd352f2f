import { expect, test } from "vitest";

// Imported by a name that the compiler does not follow, since types of browsers are not known here.
const path: string = "../../../../../../runtime/web/console/parts/markdown.tsx";
const { briefText } = (await import(path)) as { briefText(text: string): string };

test.each([
  ["Uses **maths**:\n| shape | formula |\n|---|---|\n| circle | r |", "Uses maths:"],
  ["One line\nand another.\n\nMore.", "One line and another."],
  ["## Usage\n\n- first\n- second\n\nThen `this`.", "Then this."],
  ["- first\n- second", "first - second"],
  ["> ## Said", "Said"],
  ["```\ncode\n```", "code"],
  ["", ""],
  ["A ![plot](https://example.org/a.png) of [it](https://example.org/)", "A plot of it"],
  ["x".repeat(300), "x".repeat(120)],
])("of %j, a line in a list has the first paragraph", (text, brief) => {
  expect(briefText(text)).toBe(brief);
});
