import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Width of a letter in parts of the font's size, wide enough for every usual font. */
const letter = { plain: 0.56, bold: 0.6, code: 0.61 };

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Beginning and end of the texts of a picture, estimated from their letters. */
function textBoxes(svg: string): readonly Box[] {
  return [...svg.matchAll(/<text([^>]*)>(.*?)<\/text>/g)].map(([, attributes = "", raw = ""]) => {
    const of = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    const classes = (of("class") ?? "").split(" ");
    const text = raw.replaceAll(/<[^>]*>/g, "").replaceAll(/&\w+;/g, "x");
    const isBold = classes.some((name) => name === "title" || name === "head");
    const size = classes.includes("title") ? 15 : classes.includes("head") ? 14 : classes.includes("code") ? 12 : 13;
    const width = text.length * size * letter[classes.includes("code") ? "code" : isBold ? "bold" : "plain"];
    const x = Number(of("x"));
    const anchor = of("text-anchor");
    const left = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
    return { text, left, right: left + width };
  });
}

const pictures = globSync("docs/**/*.svg");

test("there are pictures", () => {
  expect(pictures.length).toBeGreaterThan(20);
});

test.each(pictures)("%s: no text is cut at its edges", (file) => {
  const svg = readFileSync(file, "utf8");
  const width = Number(/viewBox="0 0 ([\d.]+) /.exec(svg)?.[1]);
  const boxes = textBoxes(svg);
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.filter(({ left, right }) => left < 0 || right > width)).toEqual([]);
  const [, axis] = /<rect class="(?:own|peer)" x="([\d.]+)"/.exec(svg) ?? [];
  const spreads = [...svg.matchAll(/class="spread" x1="([\d.]+)"/g)].map(([, from]) => Number(from));
  expect(spreads.filter((from) => from < Number(axis))).toEqual([]);
});
