import { expect, test } from "vitest";
import type { Finding, Severity } from "../../../../cli/contracts/finding.ts";
import { nextUrn } from "../../../../cli/contracts/urns.ts";
import { neededVersion } from "../../../../cli/contracts/version-step.ts";

const of = (severity: Severity): readonly Finding[] => [{ severity, tool: "a", place: "b", rule: "c", message: "d" }];

test.each([
  ["1.2.3", "1.2.3", "breaking", "2.0.0"],
  ["1.2.3", "1.3.0", "breaking", "2.0.0"],
  ["1.2.3", "2.0.0", "breaking", undefined],
  ["1.2.3", "1.2.3", "additive", "1.3.0"],
  ["1.2.3", "1.2.3", "wording", "1.2.4"],
  ["1.2.3", "1.2.3", "safety", "1.2.4"],
  ["0.2.3", "0.2.3", "breaking", "0.3.0"],
  ["0.2.3", "0.2.3", "additive", "0.2.4"],
  ["0.0.0", "0.0.0", "breaking", undefined],
  ["main", "1.0.0", "breaking", undefined],
] as const)("%s, now %s, with a %s change needs %s", (before, after, severity, needed) => {
  expect(neededVersion(before, after, of(severity))).toBe(needed);
});

test("no change needs no version", () => expect(neededVersion("1.0.0", "1.0.0", [])).toBeUndefined());

test.each([
  ["urn:x:request.1", "urn:x:request.2"],
  ["urn:x:request.9", "urn:x:request.10"],
  ["urn:x:v2", "urn:x:v2.2"],
  ["urn:x:request", "urn:x:request.2"],
])("the next URN of %s is %s", (urn, next) => expect(nextUrn(urn)).toBe(next));
