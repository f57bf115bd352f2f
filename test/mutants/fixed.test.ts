import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fixedMutants } from "./fixed.ts";
import { copyProject } from "./project-copy.ts";
import { runTests, type TestProject } from "./run-tests.ts";

const project = resolve(import.meta.dirname, "../..");

test.each<TestProject>(["units", "sources"])("tests of %s notice what they once did not", async (of) => {
  const own = fixedMutants.filter((mutant) => mutant.project === of);
  const copy = copyProject(project);
  onTestFinished(() => copy.remove());
  for (const { file, before, after } of own) {
    const code = readFileSync(join(project, file), "utf8");
    expect(code.split(before), `${file}: ${before}`).toHaveLength(2);
    copy.write(file, code.replace(before, after));
  }
  const tests = own.map((mutant) => mutant.test);
  const run = await runTests(copy.root, of, tests, 1000);
  expect(run.passed ? [] : run.files.toSorted()).toEqual(tests.toSorted());
});
