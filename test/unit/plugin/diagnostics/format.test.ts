import { expect, test } from "vitest";
import type { Diagnostic } from "../../../../plugin/diagnostics/diagnostic.ts";
import { formatDiagnostic, formatReport } from "../../../../plugin/diagnostics/format.ts";

const sample: Diagnostic = {
  code: "TN301",
  level: "error",
  message: "Field `when` has type `() => void`, which JSON cannot carry.",
  fix: "remove the field, or mark it `@internal`",
  file: "tools/add.ts",
  line: 7,
  column: 9,
  length: 10,
  lineText: "  when: () => void;",
};

test("place, message, frame, fix, and where to read more", () => {
  expect(formatDiagnostic(sample)).toBe(
    [
      "tools/add.ts:7:9  TN301  Field `when` has type `() => void`, which JSON cannot carry.",
      "  7 |   when: () => void;",
      "    |         ^^^^^^^^^^",
      "  fix   remove the field, or mark it `@internal`",
      "  more  npx tenon explain TN301",
    ].join("\n"),
  );
});

test("a warning says so, a finding without a place has no frame", () => {
  const { file: _file, line: _line, lineText: _text, fix: _fix, ...rest } = sample;
  expect(formatDiagnostic({ ...rest, level: "warning", message: "Two\nlines." })).toBe(
    "TN301  warning: Two\n        lines.\n  more  npx tenon explain TN301",
  );
});

test("tabs keep the caret below its text, and long lines are cut around it", () => {
  const [, line, caret] = formatDiagnostic({ ...sample, lineText: "\t\twhen: x", column: 9, length: 99 }).split("\n");
  expect([line, caret]).toEqual(["  7 |   when: x", "    |         ^"]);
  const [, cut = "", below = ""] = formatDiagnostic({
    ...sample,
    lineText: `${"a".repeat(500)}HERE${"b".repeat(500)}`,
    column: 501,
    length: 4,
  }).split("\n");
  expect(cut.slice(below.indexOf("^"), below.lastIndexOf("^") + 1)).toBe("HERE");
  expect(cut.length).toBeLessThan(130);
});

test("colours are for terminals", () => {
  expect(formatDiagnostic(sample, { color: true }).split("\n")[0]).toBe(
    "\u001B[1mtools/add.ts:7:9\u001B[0m  \u001B[31mTN301\u001B[0m  Field `when` has type `() => void`, which JSON cannot carry.",
  );
});

test("a report is sorted, says each thing once, and counts", () => {
  const warning: Diagnostic = { code: "TN203", level: "warning", message: "m", file: "a.ts", line: 10, column: 1 };
  const report = formatReport([sample, { ...warning, line: 9 }, warning, sample]);
  expect(report.split("\n").filter((line) => /TN\d+ {2}/.test(line))).toEqual([
    "a.ts:9:1  TN203  warning: m",
    "a.ts:10:1  TN203  warning: m",
    "tools/add.ts:7:9  TN301  Field `when` has type `() => void`, which JSON cannot carry.",
  ]);
  expect(report.endsWith("\n\n1 error and 2 warnings\n")).toBe(true);
  expect(formatReport([])).toBe("");
});
