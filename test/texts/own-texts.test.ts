import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { initFiles } from "../../cli/project/init-files.ts";
import { compileProject } from "../../plugin/index.ts";
import { textCodes } from "../../plugin/diagnostics/text-codes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function findingsOf(root: string, entry: string): Promise<readonly string[]> {
  const { diagnostics } = await compileProject({ root, entry, judgesTexts: true });
  return diagnostics.flatMap(({ code, message }) => (Object.hasOwn(textCodes, code) ? [`${code} ${message}`] : []));
}

describe("our own texts pass the rules", () => {
  const entries = globSync("examples/*/src/*service.ts").filter((file) =>
    readFileSync(file, "utf8").includes("new Service("),
  );

  test.each(entries.toSorted())("%s", async (file) => {
    const [root = "", entry = ""] = file.split(/\/(?=src\/)/);
    expect(await findingsOf(root, entry)).toEqual([]);
  });

  test("what tenon init writes", async () => {
    const root = temporaryFolder(initFiles({ name: "demo", version: "1.0.0" }));
    expect(await findingsOf(root, "src/service.ts")).toEqual([]);
  });
});
