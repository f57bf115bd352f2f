import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openPatternVerdicts } from "../../../../../plugin/compile/cache/pattern-verdicts.ts";
import { createCompiler } from "../../../../../plugin/compile/compile.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const large = "[0-9]{1,64}x[0-9]{1,64}";

test("verdicts are kept by pattern in a file, for the next build", () => {
  const file = join(temporaryFolder({}), "cache/patterns.json");
  const first = openPatternVerdicts(file, () => undefined);
  expect(first.get(large)).toBeUndefined();
  first.set(large, { status: "safe" });
  first.set("^a$", { status: "unknown" });
  const next = openPatternVerdicts(file, () => undefined);
  expect([next.get(large), next.get("^a$"), next.get("^b$")]).toEqual([
    { status: "safe" },
    { status: "unknown" },
    undefined,
  ]);
});

test.each([
  ["of another edition", JSON.stringify({ edition: 0, verdicts: { [large]: { status: "safe" } } })],
  ["that is cut off", '{"edition":1,"verd'],
])("a file %s is judged anew", (_name, text) => {
  const file = join(temporaryFolder({ "patterns.json": text }), "patterns.json");
  expect(openPatternVerdicts(file, () => undefined).get(large)).toBeUndefined();
});

test("a line tells of a judgement that takes long, names the pattern, and of no other", () => {
  const lines: string[] = [];
  const verdicts = openPatternVerdicts(undefined, (line) => lines.push(line));
  verdicts.begin?.("^(a|b)+$");
  expect(lines).toEqual([]);
  verdicts.begin?.(large);
  expect(lines).toEqual([`judging the pattern ${large}, which takes up to two seconds, once`]);
});

test("an edited project takes the verdict from the cache", async () => {
  const root = temporaryFolder({ "package.json": '{ "name": "a", "type": "module" }' });
  const file = join(root, "tool.ts");
  const compile = async (text: string): Promise<readonly string[]> => {
    writeFileSync(file, text);
    const compiler = createCompiler({ rules: { "missing-schema": "off" } }, { rootFor: () => root });
    try {
      const { diagnostics } = await compiler.compile(file, text);
      return diagnostics.map(({ code }) => code);
    } finally {
      compiler.dispose();
    }
  };
  const tool = (word: string): string => `/** ${word}. @tool */
export function tool(/** Text. @pattern ${large} */ text: string): string { return text; }
`;
  const told: string[] = [];
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((line) => told.push(String(line)) > 0);
  try {
    expect(await compile(tool("First"))).toEqual([]);
    expect(told).toEqual([`tenon: judging the pattern ${large}, which takes up to two seconds, once\n`]);
    expect(await compile(tool("Edited"))).toEqual([]);
    expect(told).toHaveLength(1);
    // A verdict that no judge would give shows that none was asked.
    const kept = join(root, "node_modules/.cache/tenon/patterns.json");
    const { edition, verdicts } = JSON.parse(readFileSync(kept, "utf8")) as { edition: number; verdicts: object };
    expect(verdicts).toEqual({ [large]: { status: "safe" } });
    const slow = { status: "vulnerable", complexity: "exponential", attack: "'0'" };
    writeFileSync(kept, JSON.stringify({ edition, verdicts: { [large]: slow } }));
    expect(await compile(tool("Edited again"))).toEqual(["TN316"]);
    expect(told).toHaveLength(1);
  } finally {
    stderr.mockRestore();
  }
});
