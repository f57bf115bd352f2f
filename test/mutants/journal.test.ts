import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { openJournal, type Trial, type Verdict } from "./journal.ts";
import type { Mutation } from "./mutation.ts";
import { readNearTests } from "./near-tests.ts";

const mutation: Mutation = {
  file: "runtime/a.ts",
  start: 0,
  end: 1,
  text: "b",
  kind: "text",
  line: 1,
  before: "a",
  after: "b",
};
const trial: Trial = { mutation, code: "a", tests: ["test/unit/a.test.ts", "test/fronts"] };
const tests = {
  "test/unit/a.test.ts": 'import { help } from "../support/help.ts";',
  "test/unit/other.test.ts": "",
  "test/support/help.ts": 'import "./deeper.ts";\nexport { deep } from "./deeper.ts";',
  "test/support/deeper.ts": "",
  "test/fronts/rest/b.test.ts": "",
};

/** The verdict that a later run finds, before which a file of the project was written. */
function after(verdict: Verdict, file: string, text: string, asked: Trial = trial): Verdict | undefined {
  const root = temporaryFolder(tests);
  const open = () => openJournal(join(root, "journal.jsonl"), readNearTests(root).digest);
  open().add(trial, verdict);
  expect(open().find(trial)).toEqual(verdict);
  writeFiles(root, { [file]: text });
  return open().find(asked);
}

const survived: Verdict = { outcome: "survived" };
const noticed: Verdict = { outcome: "noticed", by: "a says a", files: ["test/unit/a.test.ts"] };
const endless: Verdict = { outcome: "noticed", by: "the tests did not end", files: [] };
const refused: Verdict = { outcome: "refused" };

test.each([
  "test/unit/a.test.ts",
  "test/support/help.ts",
  "test/support/deeper.ts",
  "test/fronts/rest/b.test.ts",
  "test/fronts/rest/new.test.ts",
])("a survivor is forgotten when %s, which was run for it, is written", (file) => {
  expect(after(survived, file, "// New.")).toBeUndefined();
  expect(after(endless, file, "// New.")).toBeUndefined();
});

test("a survivor of tests that are as they were stays one, also when others change", () => {
  expect(after(survived, "test/unit/other.test.ts", "// New.")).toEqual(survived);
});

test("a survivor is forgotten when another test file is asked about it", () => {
  const asked = { ...trial, tests: [...trial.tests, "test/unit/other.test.ts"] };
  expect(after(survived, "test/unit/other.test.ts", "// New.", asked)).toBeUndefined();
});

test("a mutation stays noticed until the test that noticed it changes", () => {
  expect(after(noticed, "test/fronts/rest/b.test.ts", "// New.")).toEqual(noticed);
  expect(after(noticed, "test/unit/a.test.ts", "// New.")).toBeUndefined();
  expect(after(noticed, "test/support/deeper.ts", "// New.")).toBeUndefined();
});

test("what the compiler refused needs no test", () => {
  expect(after(refused, "test/unit/a.test.ts", "// New.")).toEqual(refused);
});

test("a verdict on another text of the source is not found", () => {
  expect(after(survived, "test/unit/other.test.ts", "", { ...trial, code: "b" })).toBeUndefined();
  expect(after(refused, "test/unit/other.test.ts", "", { ...trial, code: "b" })).toBeUndefined();
});

test("a line of a journal that does not say which tests decided counts for nothing", () => {
  const file = join(temporaryFolder(), "journal.jsonl");
  openJournal(file, () => "a").add(trial, noticed);
  expect(openJournal(file, () => "a").find(trial)).toEqual(noticed);
  const { tests: _, ...old } = JSON.parse(readFileSync(file, "utf8")) as { readonly tests: string };
  writeFileSync(file, `${JSON.stringify(old)}\n`);
  expect(openJournal(file, () => "a").find(trial)).toBeUndefined();
});
