import { expect, test } from "vitest";
import { dropBanners, type OutputFile } from "../../../../../plugin/bundlers/hosts/late-banners.ts";

const banner = ";guard();\n;stub();\n";

function withBanner(imports: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const bundle: Record<string, OutputFile> = {};
  for (const [fileName, names] of Object.entries(imports)) {
    const isEntry = fileName.startsWith("entry");
    bundle[fileName] = { type: "chunk", fileName, isEntry, imports: names, code: `${banner}// ${fileName}\n` };
  }
  dropBanners(bundle, banner, ({ fileName }) => !fileName.includes("foreign"));
  const files = Object.values(bundle);
  for (const { code } of files) expect(code?.split("\n").length).toBe(4);
  return files.flatMap(({ fileName, code }) => (code?.startsWith(banner) === true ? [fileName] : []));
}

test("a chunk that an entry imports runs before it, and its banner with it", () => {
  expect(withBanner({ "entry.js": ["pg", "shared.js"], "shared.js": ["node:fs"], "late.js": ["shared.js"] })).toEqual([
    "shared.js",
  ]);
});

test("an entry that imports no other chunk keeps its own", () => {
  expect(withBanner({ "entry.js": [], "entry-two.js": ["shared.js"], "shared.js": [] })).toEqual([
    "entry.js",
    "shared.js",
  ]);
});

test("of chunks in a circle any may be the first", () => {
  expect(withBanner({ "entry.js": ["one.js"], "one.js": ["two.js"], "two.js": ["one.js"] })).toEqual([
    "one.js",
    "two.js",
  ]);
});

test("a chunk that does not run together with a tool gets none", () => {
  expect(withBanner({ "entry.js": [], "entry-foreign.js": [] })).toEqual(["entry.js"]);
});
