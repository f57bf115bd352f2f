import { expect, test } from "vitest";
import { applyExceptions, fails, parseExceptions } from "../../../../cli/contracts/exceptions.ts";
import type { Finding } from "../../../../cli/contracts/finding.ts";

const finding: Finding = {
  severity: "breaking",
  tool: "half",
  place: "request /limit",
  rule: "required-added",
  message: "is new and required",
  witness: { value: {}, problem: "missing" },
};
const exception = { tool: "half", rule: "required-added", reason: "nobody calls it yet", until: "2026-12-31" };

test("an exception lets a finding pass until its last day", () => {
  const on = (day: string): boolean => fails(applyExceptions([finding], [exception], day).findings[0] ?? finding);
  expect([on("2026-12-30"), on("2026-12-31"), on("2027-01-01")]).toEqual([false, false, true]);
  expect(applyExceptions([finding], [exception], "2027-01-01").findings).toEqual([{ ...finding, ended: "2026-12-31" }]);
});

test("a place narrows an exception; one that no finding needs is told", () => {
  const here = { ...exception, place: "request /limit" };
  const elsewhere = { ...exception, place: "request /other" };
  const { findings, unused } = applyExceptions([finding], [here, elsewhere], "2026-11-22");
  expect(findings).toEqual([{ ...finding, allowed: "nobody calls it yet" }]);
  expect(unused).toEqual([elsewhere]);
});

test.each([
  ["nonsense", "it is not JSON"],
  ["{}", "it needs the key `allow` with a list of exceptions"],
  ['{ "allow": [1] }', "exception 1 is not an object"],
  [JSON.stringify({ allow: [exception, { ...exception, reason: "" }] }), "exception 2 needs the text `reason`"],
  [
    JSON.stringify({ allow: [{ ...exception, tol: "x" }] }),
    "exception 1 has the unknown key `tol`; there are tool, rule, place, reason, until",
  ],
  [
    JSON.stringify({ allow: [{ ...exception, until: "2026-13-01" }] }),
    "exception 1 needs a day like 2026-12-31 as `until`",
  ],
])("%s cannot be used: %s", (text, problem) => {
  expect(parseExceptions(text)).toBe(problem);
});
