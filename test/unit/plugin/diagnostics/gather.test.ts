import { expect, test } from "vitest";
import type { Diagnostic } from "../../../../plugin/diagnostics/diagnostic.ts";
import { gatherByFile } from "../../../../plugin/diagnostics/gather.ts";

function warning(code: string, file: string, line: number, level: Diagnostic["level"] = "warning"): Diagnostic {
  return { code, level, message: `At ${line}.`, file, line, column: 1 };
}

test("warnings of one kind are told once a file, at the first place, with their number", () => {
  const more = "(`--verbose` names each).";
  expect(
    gatherByFile([
      warning("TN203", "a.ts", 5),
      warning("TN203", "a.ts", 3),
      warning("TN201", "a.ts", 1),
      warning("TN203", "b.ts", 9),
      // Two tools share a model.
      warning("TN203", "b.ts", 9),
      warning("TN203", "a.ts", 7),
    ]).map(({ code, file, line, message }) => [code, file, line, message]),
  ).toEqual([
    ["TN203", "a.ts", 3, `At 3. 2 more in this file ${more}`],
    ["TN201", "a.ts", 1, "At 1."],
    ["TN203", "b.ts", 9, "At 9."],
  ]);
});

test("errors, and warnings of which each says something else, are told one by one", () => {
  const all = [
    warning("TN203", "a.ts", 1, "error"),
    warning("TN203", "a.ts", 2, "error"),
    warning("TN204", "a.ts", 3),
    warning("TN204", "a.ts", 4),
  ];
  expect(gatherByFile(all)).toEqual(all);
});
