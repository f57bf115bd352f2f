import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileStates, type RecordedInputs } from "../../../../../plugin/compile/cache/file-states.ts";
import type { ReadingInputs } from "../../../../../plugin/read/project/reading-inputs.ts";
import { temporaryFolder, writeFiles } from "../../../../support/temporary-folder.ts";

function inputs(more: Partial<ReadingInputs>): ReadingInputs {
  return { complete: true, files: new Map(), missing: [], links: new Map(), ambient: [], ...more };
}

function record(root: string, more: Partial<ReadingInputs>): RecordedInputs {
  const recorded = createFileStates(root).record(inputs(more));
  if (recorded === undefined) throw new Error("nothing recorded");
  return recorded;
}

/** As the next build asks. */
function matches(root: string, recorded: RecordedInputs): boolean {
  return createFileStates(root).match(recorded);
}

test("files count by content, not by time", () => {
  const root = temporaryFolder({ "a.ts": "one" });
  const recorded = record(root, { files: new Map([[join(root, "a.ts"), undefined]]) });
  writeFiles(root, { "a.ts": "one" });
  expect(matches(root, recorded)).toBe(true);
  writeFiles(root, { "a.ts": "two" });
  expect(matches(root, recorded)).toBe(false);
  rmSync(join(root, "a.ts"));
  expect(matches(root, recorded)).toBe(false);
});

test("what the compiler read counts, also when the file changed since", () => {
  const root = temporaryFolder({ "a.ts": "two" });
  const recorded = record(root, { files: new Map([[join(root, "a.ts"), "one"]]) });
  expect(matches(root, recorded)).toBe(false);
  writeFiles(root, { "a.ts": "one" });
  expect(matches(root, recorded)).toBe(true);
});

test("nothing is recorded when an input is gone", () => {
  const root = temporaryFolder();
  const files = new Map([[join(root, "a.ts"), undefined]]);
  expect(createFileStates(root).record(inputs({ files }))).toBeUndefined();
});

test("a file that appears where the compiler looked first counts, and folders on the way stand for what is in them", () => {
  const root = temporaryFolder({ "src/shape/index.ts": "" });
  const missing = ["src/shape.ts", "src/node_modules/a/package.json", "src/node_modules/@types/a/index.d.ts"];
  const recorded = record(root, { missing: missing.map((path) => join(root, path)) });
  expect(recorded.missing).toEqual(["src/node_modules", "src/shape.ts"]);
  expect(matches(root, recorded)).toBe(true);
  writeFiles(root, { "src/shape.ts": "" });
  expect(matches(root, recorded)).toBe(false);
  rmSync(join(root, "src/shape.ts"));
  mkdirSync(join(root, "src/node_modules"));
  expect(matches(root, recorded)).toBe(false);
});

test("a link that leads elsewhere counts", () => {
  const root = temporaryFolder({ "one/index.ts": "", "two/index.ts": "" });
  symlinkSync(join(root, "one"), join(root, "linked"));
  const links = new Map([[join(root, "linked/index.ts"), join(root, "one/index.ts")]]);
  const recorded = record(root, { links });
  expect(matches(root, recorded)).toBe(true);
  rmSync(join(root, "linked"));
  symlinkSync(join(root, "two"), join(root, "linked"));
  expect(matches(root, recorded)).toBe(false);
});

test("ambient declarations: files that come or go, and packages under @types", () => {
  const root = temporaryFolder({
    "src/globals.d.ts": "",
    "src/a.ts": "",
    "node_modules/@types/node/package.json": '{ "version": "1.0.0" }',
  });
  const recorded = record(root, { ambient: [root] });
  writeFiles(root, { "src/b.ts": "", "node_modules/x/index.d.ts": "", ".hidden/x.d.ts": "" });
  expect(matches(root, recorded)).toBe(true);
  writeFiles(root, { "src/more.d.mts": "" });
  expect(matches(root, recorded)).toBe(false);
  rmSync(join(root, "src/more.d.mts"));
  writeFileSync(join(root, "node_modules/@types/node/package.json"), '{ "version": "2.0.0" }');
  expect(matches(root, recorded)).toBe(false);
});

test("answers are kept until a refresh, and names are relative with forward slashes", () => {
  const root = temporaryFolder({ "a/b.ts": "one" });
  const states = createFileStates(root);
  const recorded = record(root, { files: new Map([[join(root, "a/b.ts"), undefined]]) });
  expect(states.match(recorded)).toBe(true);
  renameSync(join(root, "a"), join(root, "c"));
  expect(states.match(recorded)).toBe(true);
  states.refresh();
  expect(states.match(recorded)).toBe(false);
  expect(states.name(join(root, "a/b.ts"))).toBe("a/b.ts");
  expect(states.path("a/b.ts")).toBe(join(root, "a/b.ts"));
});
