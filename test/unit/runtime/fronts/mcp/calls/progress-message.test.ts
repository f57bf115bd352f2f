import { expect, test } from "vitest";
import { progressMessage } from "../../../../../../runtime/fronts/mcp/calls/forward-events.ts";

const own = { $schema: "urn:example:event.weighed.1", timestamp: "2026-11-24T10:00:00.000Z", sequence: 1 };
test.each([
  [{ ...own, grams: 5 }, 'event.weighed {"grams":5}'],
  [{ ...own, name: "salt", message: "done", grams: 5 }, 'salt done {"grams":5}'],
  [{ $schema: "urn:platform:schema:service.event.generic.1", name: "load", options: { progress: 5 } }, "load: 5"],
])("progress of an event: %j", (publicBody, text) => {
  const { timestamp } = own;
  expect(progressMessage({ sequence: 1, timestamp, body: publicBody, publicBody })).toBe(text);
});
