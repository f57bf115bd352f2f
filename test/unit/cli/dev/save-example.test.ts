import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editorLink } from "../../../../cli/dev/editor-link.ts";
import { saveExample } from "../../../../cli/dev/save-example.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Saves a request as the example of a tool whose module has a text; returns the outcome and the text after it. */
function save(source: string, line: number, request: unknown, more = {}): readonly [outcome: object, after: string] {
  const root = temporaryFolder({ "src/a.ts": source });
  const given = { root, source: `src/a.ts:${line}`, request: JSON.stringify(request), loadedAt: Date.now() + 1000 };
  const outcome = saveExample({ ...given, isSecret: (name) => name === "token", ...more });
  return [outcome, readFileSync(join(root, "src/a.ts"), "utf8")];
}

test.each([
  [
    "of several lines",
    "/**\n * Sells.\n * @tool\n */\nexport function sell(item: string): void {}\n",
    5,
    "/**\n * Sells.\n * @tool\n * @example REQUEST\n */\nexport function sell(item: string): void {}\n",
    4,
  ],
  [
    "of one line, indented, behind another comment",
    "/* eslint-disable */\n  /** Sells. @tool */\n  export const sell = 1;\n",
    3,
    "/* eslint-disable */\n  /** Sells. @tool @example REQUEST */\n  export const sell = 1;\n",
    2,
  ],
  [
    "on the line of the function",
    "/** Sells. @tool */ export function sell(/* it */ item: string): void {}\n",
    1,
    "/** Sells. @tool @example REQUEST */ export function sell(/* it */ item: string): void {}\n",
    1,
  ],
  [
    "whose end is on the line of a tag",
    "/** Sells.\n * @tool\n * @category Shop */\nexport function sell() {}\n",
    4,
    "/** Sells.\n * @tool\n * @category Shop\n * @example REQUEST\n */\nexport function sell() {}\n",
    4,
  ],
  [
    "whose end follows a tag without a blank",
    "/** Sells.\n * @tool*/\nexport function sell() {}\n",
    3,
    "/** Sells.\n * @tool\n * @example REQUEST\n */\nexport function sell() {}\n",
    3,
  ],
  [
    "with lines of Windows",
    "/**\r\n * Sells. @tool\r\n */\r\nexport function sell() {}\r\n",
    4,
    "/**\r\n * Sells. @tool\r\n * @example REQUEST\n */\r\nexport function sell() {}\r\n",
    3,
  ],
])("an example goes to the end of a comment %s", (_, before, line, after, at) => {
  const [outcome, text] = save(before, line, { item: "lamp" });
  expect(text).toBe(after.replace("REQUEST", '{"item":"lamp"}'));
  expect(outcome).toEqual({ place: `src/a.ts:${at}` });
});

test("a request that its tool refuses is not written, since the next build would fail", () => {
  const source = "/** Sells. @tool */\nexport function sell() {}\n";
  const isRequest = (wire: unknown): boolean => (wire as { readonly n: number }).n < 10;
  expect(save(source, 2, { n: 599 }, { isRequest })).toEqual([
    { refusal: expect.stringContaining("The tool refuses this request") },
    source,
  ]);
  expect(save(source, 2, { n: 5 }, { isRequest })[0]).toEqual({ place: "src/a.ts:1" });
});

test("a request neither ends the comment nor begins a tag", () => {
  const request = { item: "*/ process.exit() /*", mail: "ann@example.org", more: [" @tool", "@readonly"] };
  const [, text] = save("/** Sells. @tool */\nexport function sell() {}\n", 2, request);
  const [, json = ""] = /@example (.*) \*\/\n/.exec(text) ?? [];
  expect(json).not.toContain("*/");
  expect(json).toContain("ann@example.org");
  expect(json).not.toMatch(/[\s"]@/);
  expect(JSON.parse(json)).toEqual(request);
});

test.each([
  [
    "a secret",
    "/** A. @tool */\nfunction a() {}\n",
    2,
    { deep: [{ token: "x" }] },
    {},
    /`token` is named like a secret/,
  ],
  ["a long request", "/** A. @tool */\nfunction a() {}\n", 2, "x".repeat(3000), {}, /has 3002 characters/],
  ["no comment", "const b = 1;\nfunction a() {}\n", 2, {}, {}, /src\/a\.ts:2 has no comment/],
  ["a comment of another kind", "/** B. */ /* A. */\nfunction a() {}\n", 2, {}, {}, /has no comment/],
  ["a file that has changed", "/** A. @tool */\nfunction a() {}\n", 2, {}, { loadedAt: 1 }, /has changed since/],
  ["a file that is gone", "", 1, {}, { source: "src/b.ts:1" }, /src\/b\.ts could not be changed/],
  ["a file elsewhere", "", 1, {}, { source: "../../etc/hostname:1" }, /is not below the project|could not be changed/],
  [
    "a known example",
    '/** A. @tool @example {"a":1} */\nfunction a() {}\n',
    2,
    { a: 1 },
    {},
    /already, at src\/a\.ts:1/,
  ],
])("%s is refused with a sentence, and nothing is written", (_, before, line, request, more, reason) => {
  const [outcome, text] = save(before, line, request, more);
  expect(outcome).toEqual({ refusal: expect.stringMatching(reason) });
  expect(text).toBe(before);
});

test("a link that leads out of the project is not followed", () => {
  const other = temporaryFolder({ "b.ts": "/** B. @tool */\nfunction b() {}\n" });
  const root = temporaryFolder({ "a.ts": "" });
  symlinkSync(join(other, "b.ts"), join(root, "b.ts"));
  const given = { root, source: "b.ts:2", request: "{}", loadedAt: Infinity, isSecret: () => false };
  expect(saveExample(given)).toEqual({ refusal: "b.ts is not below the project." });
});

test.each([
  [undefined, "vscode://file/p/a%20b.ts:3:5"],
  ["", "vscode://file/p/a%20b.ts:3:5"],
  ["code", "vscode://file/p/a%20b.ts:3:5"],
  ["/usr/local/bin/cursor", "cursor://file/p/a%20b.ts:3:5"],
  ["C:\\Programs\\webstorm64.exe", "webstorm://open?file=%2Fp%2Fa%20b.ts&line=3&column=5"],
  ["idea", "idea://open?file=%2Fp%2Fa%20b.ts&line=3&column=5"],
  ["zed", "zed://file/p/a%20b.ts:3:5"],
  ["javascript", "vscode://file/p/a%20b.ts:3:5"],
  ["vim", "vscode://file/p/a%20b.ts:3:5"],
])("LAUNCH_EDITOR=%s opens %s", (named, link) => {
  expect(editorLink("/p/a b.ts", 3, 5, named)).toBe(link);
});
