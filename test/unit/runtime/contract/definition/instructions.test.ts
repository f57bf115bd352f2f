import { describe, expect, test } from "vitest";
import { firstSentence } from "../../../../../runtime/contract/definition/first-sentence.ts";
import { makeInstructions } from "../../../../../runtime/contract/definition/instructions.ts";

type Named = Parameters<typeof makeInstructions>[0]["tools"][number];

const tool = (name: string, description: string, source = `src/${name}.ts:3`): Named => ({ name, description, source });

test.each([
  ["Tests a number. It is fast.", "Tests a number."],
  ["Tests e.g. a number. It is fast.", "Tests e.g. a number."],
  ["Tests\na number\n\nIt is fast.", "Tests a number"],
  ["Is it 3.5? Yes.", "Is it 3.5?"],
  ["", ""],
])("the first sentence of %j is %j", (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});

describe("instructions that nobody wrote", () => {
  test("have the service's description, and the first sentence of each tool by name", () => {
    const tools = [tool("b", "Does b. Slowly."), tool("a", "Does a.")];
    expect(makeInstructions({ description: "Does letters.\n", tools })).toBe(
      "Does letters.\n\n- a: Does a.\n- b: Does b.",
    );
    expect(makeInstructions({ tools })).toBe("- a: Does a.\n- b: Does b.");
  });

  test("have at most 2,000 bytes, and count the tools that do not fit", () => {
    const tools = Array.from({ length: 40 }, (_, at) => tool(`tool${at + 10}`, `${"ä".repeat(120)}.`));
    const text = makeInstructions({ description: "é".repeat(5000), tools });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
    const lines = text.split("\n");
    expect(lines.at(-1)).toBe(`- and ${40 - (lines.length - 3)} more`);
  });

  test("of a character that is cut in two stay well-formed", () => {
    expect(makeInstructions({ description: `${"a".repeat(499)}😀`, tools: [] }).isWellFormed()).toBe(true);
  });

  test("have the groups of more than 40 tools, by tag, and by file", () => {
    const notes = Array.from({ length: 30 }, (_, at) => tool(`note${at + 10}`, "Does it.", "src/notes.ts:1"));
    const users = Array.from({ length: 11 }, (_, at) => ({
      ...tool(`user${at + 10}`, "Does it.", "src/all.ts:1"),
      ...(at % 2 === 0 ? { options: { tags: ["People"] } } : { category: "People" }),
    }));
    const text = makeInstructions({ description: "Many.", tools: [...notes, ...users] });
    expect(text).toMatch(/^Many\.\n\n- People \(11\): user10, .*, user20\n- notes \(30\): note10, note11, /);
    expect(text).toMatch(/\n\nThere are 41 tools: search them by words of the task\.$/);
  });

  test("of many files have their folders, and never more than 2,000 bytes", () => {
    const tools = Array.from({ length: 1000 }, (_, at) =>
      tool(`a-rather-long-name-of-a-tool-${at + 1000}`, "Does it.", `src/area${at % 60}/tool${at}.ts:1`),
    );
    const text = makeInstructions({ description: "Many.", tools }, true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
    expect(text).toContain("- area0 (17): a-rather-long-name-of-a-tool-1000, ...");
    expect(text).toMatch(
      /- and \d+ more\n\nFind one of the 1000 tools with search_tools, .* describe_tool and call_tool\.$/,
    );
  });

  test("have groups without names where no name fits", () => {
    const long = "a-very-long-name-of-a-tool-that-does-not-fit-a-line";
    const categories = ["Notes, letters, memos", "People"];
    const tools = Array.from({ length: 80 }, (_, at) => ({
      ...tool(`${long}-${at + 10}`, "Does it."),
      category: categories[at] ?? `Group ${at % 40}`,
    }));
    const lines = makeInstructions({ tools }).split("\n");
    expect(lines).toContain("- Notes, letters, memos (1)");
    expect(lines).toContain("- Group 7 (2)");
    expect(lines.filter((line) => line.includes(long))).toEqual([]);
  });

  test("of few tools that are searched name the tools that search", () => {
    expect(makeInstructions({ tools: [tool("a", "Does a.", "src/a.ts:1")] }, true)).toBe(
      "- a (1): a\n\nFind one of the 1 tools with search_tools, by words of the task; then use describe_tool and call_tool.",
    );
  });
});
