import { readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeUrns, writeVersion } from "../../../../../cli/contracts/against/write-fixes.ts";
import type { Finding } from "../../../../../cli/contracts/finding.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const stale = (...urns: readonly string[]): Finding => ({
  severity: "breaking",
  tool: "a",
  place: "request",
  message: "",
  rule: "urn-unchanged",
  urns,
});

test("a URN is replaced wherever the project's sources name it as a whole", () => {
  const source = "// urn:own:a.1\n@schema urn:own:a.1.\nurn:own:a.10 urn:own:a.1-x xurn:own:a.1 urn:own:a.1:b\n";
  const files = { "src/a.ts": source, "src/b.ts": "urn:own:b.1", "node_modules/c/c.ts": "urn:own:a.1" };
  const root = temporaryFolder(files);
  const outside = temporaryFolder({ "d.ts": "urn:own:a.1" });
  const sources = [...Object.keys(files).map((file) => join(root, file)), join(outside, "d.ts")];
  for (const file of sources) utimesSync(file, 1, 1);
  const others: Finding = { ...stale("urn:own:b.1"), rule: "required-added" };
  const { urns: _, ...none } = stale();
  expect(writeUrns(root, sources, [stale("urn:own:a.1"), stale("urn:own:a.1"), others, none])).toEqual([
    { file: "src/a.ts", line: 1, before: "urn:own:a.1", after: "urn:own:a.2" },
    { file: "src/a.ts", line: 2, before: "urn:own:a.1", after: "urn:own:a.2" },
  ]);
  // A file that does not name it is not touched: bundlers would build it again.
  expect(sources.map((file) => statSync(file).mtimeMs === 1000)).toEqual([false, true, true, true]);
  const texts = sources.map((file) => readFileSync(file, "utf8"));
  expect(texts).toEqual([
    "// urn:own:a.2\n@schema urn:own:a.2.\nurn:own:a.10 urn:own:a.1-x xurn:own:a.1 urn:own:a.1:b\n",
    "urn:own:b.1",
    "urn:own:a.1",
    "urn:own:a.1",
  ]);
});

test("a URN that no source names is left, with what to write", () => {
  const root = temporaryFolder({ "a.ts": "urn:own:aX1" });
  expect(writeUrns(root, [join(root, "a.ts")], [stale("urn:own:a.1")])).toEqual([
    {
      file: "",
      before: "urn:own:a.1",
      after: "urn:own:a.2",
      problem: "no source of the project names it: write `@schema urn:own:a.2` at its model",
    },
  ]);
});

test("the version of package.json is replaced where it is the service's, and alone", () => {
  const text = '{\n  "name": "x",\n  "version" : "1.0.0",\n  "other": { "version": "1.0.0" }\n}\n';
  const root = temporaryFolder({ "package.json": text });
  const fix = { file: "package.json", before: "1.0.0", after: "2.0.0" };
  expect(writeVersion(root, "1.0.0", "2.0.0")).toEqual(fix);
  expect(readFileSync(join(root, "package.json"), "utf8")).toBe(text.replace("1.0.0", "2.0.0"));
  const problem = "the version is not that of package.json: change it in `new Service({…})`";
  expect(writeVersion(root, "1.0.0", "2.0.0")).toEqual({ ...fix, problem });
  expect(writeVersion(temporaryFolder(), "1.0.0", "2.0.0")).toEqual({ ...fix, problem });
});
