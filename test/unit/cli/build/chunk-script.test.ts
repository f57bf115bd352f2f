import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync } from "rolldown/utils";
import { expect, test } from "vitest";
import { type ChunkScript, toChunkScript } from "../../../../cli/build/chunk-script.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const take = (code: string): ChunkScript | undefined => toChunkScript(code, parseSync("chunk.mjs", code).module);

/** Writes modules as they are and chunks as their two files, and imports the last chunk. */
async function run(files: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const folder = temporaryFolder();
  let last = "";
  for (const [name, code] of Object.entries(files)) {
    const parts = name.startsWith("chunk") ? take(code) : undefined;
    expect(parts === undefined).toBe(!name.startsWith("chunk"));
    writeFileSync(join(folder, `${name}.mjs`), parts?.loader(0) ?? code);
    if (parts !== undefined) writeFileSync(join(folder, `${name}.js`), parts.script);
    last = join(folder, `${name}.mjs`);
  }
  return (await import(/* @vite-ignore */ pathToFileURL(last).href)) as Record<string, unknown>;
}

test("imports, exports under other names, import() and import.meta do what they did", async () => {
  const exports = await run({
    other: "export const value = 7; export function twice(x) { return 2 * x }",
    later: "export default 'loaded later'",
    chunk: [
      'import { value, twice as double } from "./other.mjs";',
      "const own = double(value);",
      'const load = async () => (await import("./later.mjs")).default;',
      "const place = () => import.meta.url;",
      "class Kept { static self = () => Kept }",
      "const strict = (function () { return this === undefined })();",
      "export { own, load as loadLater, place, Kept, strict };",
    ].join("\n"),
  });
  const { own, loadLater, place, Kept, strict } = exports as {
    own: number;
    loadLater: () => Promise<string>;
    place: () => string;
    Kept: { self: () => unknown };
    strict: boolean;
  };
  expect(own).toBe(14);
  expect(await loadLater()).toBe("loaded later");
  expect(place()).toMatch(/\/chunk\.mjs$/);
  expect(Kept.self()).toBe(Kept);
  expect(strict).toBe(true);
});

test("characters beyond ASCII stay what they are", async () => {
  const { text } = await run({ chunk: 'const text = "é … 𝔘";\nexport { text };' });
  expect(text).toBe("é … 𝔘");
});

test("a chunk that is taken apart may import another", async () => {
  const { sum } = await run({
    "chunk-a": "const one = 1;\nconst two = 2;\nexport { one, two };",
    "chunk-b": 'import {\n  one,\n  two\n} from "./chunk-a.mjs";\nconst sum = one + two;\nexport { sum };',
  });
  expect(sum).toBe(3);
});

test.each([
  ["", 1, "the first line"],
  ['import {\n  value\n} from "./other.mjs"; ', 3, "a line behind an import of several"],
  ["const url = import.meta.url; ", 1, "a line with import.meta"],
  ['const load = () => import("./other.mjs"); ', 1, "a line with import()"],
])("places in the code stay: %#", async (before, line, _where) => {
  const code = `${before}const fail = () => { throw new Error("found") };\nexport { fail };\n//# sourceMappingURL=x.map`;
  const { fail } = await run({ other: "export const value = 7;", chunk: code });
  const column = (code.split("\n")[line - 1] ?? "").indexOf("new Error") + 1;
  expect(placeOf(fail as () => void)).toMatch(new RegExp(`chunk\\.js:${line}:${column}\\)?$`));
});

/** The first line of the stack with which a function fails. */
function placeOf(fail: () => void): string | undefined {
  try {
    fail();
  } catch (error) {
    return String((error as Error).stack).split("\n")[1];
  }
  return undefined;
}

test("the source map is named behind the script", () => {
  const script = take("const a = 1;\nexport { a };\n//# sourceMappingURL=a.mjs.map")?.script ?? "";
  expect(script.split("\n").at(-1)).toBe("//# sourceMappingURL=a.mjs.map");
});

test.each([
  ["a default", "const a = 1;\nexport { a as default };"],
  ["what another module exports", 'export { a } from "./other.mjs";'],
  ["an import handed on", 'import { a } from "./other.mjs";\nexport { a };'],
  ["declarations", "export const a = 1;"],
  ["two lists", "const a = 1, b = 2;\nexport { a };\nexport { b };"],
  ["nothing", "globalThis.a = 1;"],
  ["what import() of a variable gives", "const load = (name) => import(name);\nexport { load };"],
  ["our own names", "const $imports = 1;\nexport { $imports };"],
])("stays a module: one that exports %s", (_what, code) => {
  expect(take(code)).toBeUndefined();
});
