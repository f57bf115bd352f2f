import { describe, expect, test } from "vitest";
import { parseDoc } from "../../../../../plugin/read/base/tsdoc.ts";

function parse(comment: string): { readonly summary: string; readonly tags: readonly (readonly [string, string])[] } {
  const source = `const before = 1;\n${comment}\n`;
  const start = source.indexOf("/**");
  const { summary, tags } = parseDoc(source, start, source.lastIndexOf("*/") + 2);
  for (const tag of tags) expect(source.slice(tag.start, tag.start + tag.length)).toBe(`@${tag.name}`);
  return { summary, tags: tags.map(({ name, text }) => [name, text]) };
}

describe("blocks", () => {
  test("a known tag may begin in the middle of a line, any tag at its start", () => {
    expect(parse("/** A number. @minimum 1 @maximum 5 */")).toEqual({
      summary: "A number.",
      tags: [
        ["minimum", "1"],
        ["maximum", "5"],
      ],
    });
    expect(parse("/**\n * Ask @somebody about it.\n * @unheard of\n */")).toEqual({
      summary: "Ask @somebody about it.",
      tags: [["unheard", "of"]],
    });
  });

  test("prose may speak of a @resource; in the middle of a line the tag needs its URI", () => {
    expect(parse("/** Releases the @resource that a job holds. @tool */")).toEqual({
      summary: "Releases the @resource that a job holds.",
      tags: [["tool", ""]],
    });
    expect(parse("/** A note. @resource note:///{id} */").tags).toEqual([["resource", "note:///{id}"]]);
  });

  test("text behind a modifier goes on with the summary", () => {
    expect(parse("/**\n * @tool\n * @destructive false\n * Runs.\n * @timeout 5s\n */")).toEqual({
      summary: "Runs.",
      tags: [
        ["tool", ""],
        ["destructive", "false"],
        ["timeout", "5s"],
      ],
    });
  });

  test("lines keep their indentation, without stars and whatever ends them", () => {
    expect(
      parse("/**\r\n * - a\r\n *   - b\r\n *\r\n *\r\n *\r\n * end\r\n * @remarks\r\n *   more\r\n *     deep\r\n */"),
    ).toEqual({
      summary: "- a\n  - b\n\nend",
      tags: [["remarks", "more\n  deep"]],
    });
    expect(parse("/**\n No stars.\n @tool\n*/")).toEqual({ summary: "No stars.", tags: [["tool", ""]] });
  });
});

describe("what is no tag", () => {
  test.each([
    ["an address", "/** Write to me@tool or \\@tool now. */", "Write to me@tool or \\@tool now."],
    ["a code span", "/** The tag `x @tool y` marks. */", "The tag `x @tool y` marks."],
    ["an inline tag", "/** See {@link tool} or {x @tool }. */", "See {@link tool} or {x @tool }."],
    ["a fence", "/**\n * ```ts\n * @tool\n * ```\n */", "```ts\n@tool\n```"],
    ["punctuation", "/** It is @tool, not @tool. */", "It is @tool, not @tool."],
  ])("%s", (_, comment, summary) => {
    expect(parse(comment)).toEqual({ summary, tags: [] });
  });
});

test("a pattern keeps what looks like a tag", () => {
  expect(parse("/** A. @pattern ^a @tool b$ @minLength 1 */").tags).toEqual([
    ["pattern", "^a @tool b$"],
    ["minLength", "1"],
  ]);
});
