import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commands } from "../cli/command-list.ts";
import { makePages } from "../scripts/docs.ts";
import { outsideCode, readPages } from "../scripts/site/pages.ts";
import { longLines, wrapProse } from "../scripts/docs/wrap-prose.ts";

test.each(Object.entries(makePages()))("%s is what its sources make (`npm run docs`)", (file, text) => {
  expect(readFileSync(file, "utf8")).toBe(text);
});

test.each(Object.keys(commands))("the overview of commands and the page of their options have tenon %s", (name) => {
  const overview = readFileSync("docs/command-line.md", "utf8").split("\n## ")[1];
  expect(overview).toMatch(new RegExp(`^\\|.*\`tenon ${name}\\b`, "m"));
  expect(readFileSync("docs/commands.md", "utf8")).toMatch(new RegExp(`^## \`tenon ${name}\\b`, "m"));
});

// CHANGELOG.md is written by hand, one line for each change.
const pages = [...globSync("docs/*.md"), ...globSync("*.md"), "bench/NOTES.md"].filter(
  (file) => file !== "CHANGELOG.md",
);

test.each(pages)("lines of prose in %s have at most 120 characters", (file) => {
  expect(longLines(readFileSync(file, "utf8"))).toEqual([]);
});

test("the check sees long prose, also in a list, and neither tables nor code", () => {
  const long = "word ".repeat(30);
  const page = [long, `- ${long}`, `| ${long} |`, "```sh", long, "```", "x".repeat(130)].join("\n");
  expect(longLines(page)).toEqual([long, `- ${long}`]);
});

test.each(readPages("."))("$path has no type outside code, which a page would take for a tag", ({ text }) => {
  expect(typesOutsideCode(text)).toEqual([]);
});

test("the check sees a type outside code", () => {
  const page =
    "A `Page<User>` and \\<b>\n\n```ts\nPage<User>\n```\n\n| Page<User> <br> | <https://example.org> | 1 < 2 |";
  expect(typesOutsideCode(page)).toEqual(["<User>"]);
});

function typesOutsideCode(markdown: string): readonly string[] {
  const found: string[] = [];
  outsideCode(markdown, (part) => {
    found.push(...(part.match(/(?<!\\)<(?!\/?(?:br|sup)>)\/?[A-Za-z][^<>:]*>/g) ?? []));
    return part;
  });
  return found;
}

test("wrapping keeps all words, the indent of lists, tables and code", () => {
  const long = "word ".repeat(30).trim();
  const page = `${long}\n\n- ${long}\n- short\n\n| ${long} |\n\n\`\`\`sh\n${long}\n\`\`\``;
  const wrapped = wrapProse(page);
  expect(longLines(wrapped)).toEqual([]);
  expect(wrapped.split(/\s+/)).toEqual(page.split(/\s+/));
  expect(wrapped).toContain(`\n  ${"word ".repeat(7).trim()}\n- short\n\n| ${long} |\n\n\`\`\`sh\n${long}\n`);
});
