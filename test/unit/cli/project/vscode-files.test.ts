import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { vscodeFiles } from "../../../../cli/project/vscode-files.ts";

test.each([".vscode/tasks.json", "editors/vscode/package.json"])("%s tells hints from errors", (file) => {
  const text = file === ".vscode/tasks.json" ? vscodeFiles[file] : readFileSync(file, "utf8");
  const patterns = [...text.matchAll(/"regexp": ("\^\(\?:tenon.*")/g)].map(
    ([, pattern = ""]) => new RegExp(JSON.parse(pattern) as string),
  );
  expect(patterns).toHaveLength(2);
  for (const pattern of patterns) {
    const severityOf = (told: string): unknown => pattern.exec(`src/tool.ts:1:17  TN606  ${told}Tool.`)?.slice(5);
    expect(["", "warning: ", "hint: "].map(severityOf)).toEqual([
      [undefined, "Tool."],
      ["warning", "Tool."],
      ["hint", "Tool."],
    ]);
  }
});
