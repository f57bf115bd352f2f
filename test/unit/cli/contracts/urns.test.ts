import { expect, test } from "vitest";
import type { Finding } from "../../../../cli/contracts/finding.ts";
import { judgeUrns } from "../../../../cli/contracts/urns.ts";

const witness = { value: 1, problem: "refused" };

function finding(place: string, rule: string, tool = "take"): Finding {
  return { severity: "breaking", tool, place, rule, message: "", witness };
}

test.each([
  ["request /a/$schema", "request /a", "additive"],
  ["request /a/$schema", "request /a/b/c", "additive"],
  ["request /$schema", "request /a", "additive"],
  ["request /$schema", "request", "additive"],
  // Other places, one of which only begins with the same letters.
  ["request /a/$schema", "request /b", "breaking"],
  ["request /a/$schema", "request /ab", "breaking"],
  ["request /a/$schema", "result /a", "breaking"],
])("a new URN at %s with a change at %s is %s", (urn, change, severity) => {
  const [judged] = judgeUrns([finding(urn, "urn-changed"), finding(change, "type-changed")]);
  expect(judged).toMatchObject({ rule: "urn-changed", severity });
});

test("a change in another tool is none of the model", () => {
  const [judged] = judgeUrns([finding("request /$schema", "urn-changed"), finding("request", "type-changed", "other")]);
  expect(judged).toMatchObject({ rule: "urn-changed", severity: "breaking" });
});
