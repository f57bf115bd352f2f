import { expect, test } from "vitest";
import { describeEvent } from "../../../../cli/call/describe-event.ts";

test.each([
  [{ $schema: "urn:platform:schema:service.event.step.start.1", name: "check", options: {} }, "● check"],
  [{ $schema: "urn:platform:schema:service.event.step.finish.1", name: "check", options: null }, "✓ check"],
  [{ $schema: "urn:e.generic.1", name: "check", options: "looking" }, "· check looking"],
  [{ $schema: "urn:e.generic.1", name: "check", options: 0 }, "· check 0"],
  [{ $schema: "urn:e.generic.1", name: "check", options: [1, 2] }, "· check 1,2"],
  [{ $schema: "urn:e.generic.1", name: "check", options: { message: "half", done: 0.5 } }, '· check half {"done":0.5}'],
  [{ $schema: "urn:example:schema:token.1", text: "abc", timestamp: "2026", sequence: 3 }, '· token {"text":"abc"}'],
  [{ $schema: "urn:example:event.weighed.1", name: "salt", message: "done", grams: 5 }, '· salt done {"grams":5}'],
  [{ $schema: "urn:example:ping.12" }, "· ping"],
  [{ $schema: "urn:e.error.1", context: "check", error: "broken" }, "✗ check broken"],
])("an event on the terminal: %j", (event, line) => {
  expect(describeEvent(event)).toBe(line);
});
