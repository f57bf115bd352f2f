import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openProject } from "../../../support/open-project.ts";

const folder = join(import.meta.dirname, "../../../golden");
const project = openProject({ root: folder, rules: { "missing-field-text": "off" } });
afterAll(() => project.dispose());

/** A reading without its positions, which line ends and a byte order mark move. */
function read(file: string, text: string): unknown {
  const { module, diagnostics } = project.read(file, text);
  const withoutOffsets = (key: string, value: unknown): unknown =>
    ["offset", "length", "start", "end", "body"].includes(key) && typeof value === "number" ? undefined : value;
  return JSON.parse(JSON.stringify({ module, diagnostics }, withoutOffsets));
}

describe.each(["docs", "examples", "member-texts", "param-texts", "tool-tags", "typia-tags"])("%s", (name) => {
  const file = join(folder, name, "tool.ts");
  const text = readFileSync(file, "utf8");
  const asUsual = read(file, text);

  test.each([
    ["the line ends of Windows", text.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${text}`],
    ["both", `\uFEFF${text.replaceAll("\n", "\r\n")}`],
  ])("reads alike with %s", (_what, other) => {
    expect(other).not.toBe(text);
    expect(read(file, other)).toEqual(asUsual);
  });
});
