import { expect, test } from "vitest";
import { harmless, marked, withOwnColours, withoutMarks } from "../../../../cli/base/colours.ts";
import { visibleLine } from "../../../../runtime/base/visible-text.ts";

const red = "\u001B[31mred\u001B[39m";

test("colours of this program are shown, those of a text are escaped", () => {
  expect(harmless(`${marked("red", "red")} ${red}`)).toBe(String.raw`${red} \u001b[31mred\u001b[39m`);
  expect(harmless(marked("dim", red))).toBe("\u001B[2m" + String.raw`\u001b[31mred\u001b[39m` + "\u001B[22m");
});

test("colours outlive that a line is made visible", () => {
  expect(harmless(visibleLine(marked("red", "a\nb\r")))).toBe("\u001B[31m" + String.raw`a\nb\u000d` + "\u001B[39m");
});

test("colours of a text of this program pass; other sequences do not", () => {
  expect(harmless(withOwnColours(`${red}\u001B[2J`))).toBe(`${red}${String.raw`\u001b[2J`}`);
});

test("without a terminal, colours of this program are gone, and all else is as it was", () => {
  expect(withoutMarks(`${marked("red", "red")} ${red}`)).toBe(`red ${red}`);
  const text = `${red}\uE000`;
  expect(withoutMarks(text)).toBe(text);
});
