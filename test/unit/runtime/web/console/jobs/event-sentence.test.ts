import { expect, test } from "vitest";
import { readEvent } from "../../../../../../runtime/web/console/client/follow-events.ts";
import { sentenceOf, subjectOf, typeOf } from "../../../../../../runtime/web/console/jobs/event-sentence.ts";

const of = (last: string): string => `urn:platform:schema:service.event.${last}.1`;

test.each([
  [{ $schema: of("step.start"), name: "look", options: {} }, "step.start", "look began"],
  [
    { $schema: of("step.start"), name: "pay", options: { key: 3, try: 2, message: "again" } },
    "step.start",
    "pay[3] began, try 2: again",
  ],
  [{ $schema: of("step.finish"), name: "look", options: { rows: 7 } }, "step.finish", 'look ended: {"rows":7}'],
  [{ $schema: of("step.error"), context: "look", error: "No file." }, "step.error", "look failed: No file."],
  [
    { $schema: of("generic"), name: "look", options: { message: "half", percent: 50 } },
    "generic",
    'look: half {"percent":50}',
  ],
  [{ $schema: of("generic"), name: "pages", options: { progress: 100 / 3 } }, "generic", "pages is at 33 %"],
  [{ $schema: of("generic"), name: "look", options: "half" }, "generic", "look: half"],
  [{ $schema: of("generic"), name: "dropped", message: "3 are gone." }, "generic", "dropped: 3 are gone."],
  [{ $schema: of("error"), context: null, error: "odd" }, "error", "failed: odd"],
  [
    { $schema: "urn:example:schema.token.1", text: "abc", timestamp: "2026", sequence: 3 },
    "schema.token",
    'schema.token {"text":"abc"}',
  ],
])("an event of a job: %j", (data, type, sentence) => {
  const event = readEvent({ type: "platform.job.event", data });
  expect([typeOf(event), sentenceOf(event)]).toEqual([type, sentence]);
});

test.each([
  ["status", { status: "executing", attempt: 2 }, "The job runs, attempt 2"],
  ["status", { status: "error", "error-message": "The tool failed." }, "The job ended with an error: The tool failed."],
  ["status", { status: "cancelled" }, "The job was cancelled"],
  ["status", { status: "constructor" }, "The job constructor"],
  ["result", { "content-type": "image/png" }, "The result is there: image/png"],
])("an event about a job: %s %j", (type, data, sentence) => {
  const event = readEvent({ type: `platform.job.${type}`, data });
  expect([typeOf(event), sentenceOf(event)]).toEqual([type, sentence]);
});

test("an event has a word for what it is about", () => {
  const types = ["step.start", "step.error", "generic", "error", "status", "result", "schema.token", "constructor"];
  expect(types.map(subjectOf)).toEqual(["step", "step", "report", "error", "job", "job", "event", "event"]);
});

test("a long event is cut", () => {
  const data = { $schema: of("generic"), name: "look", options: { message: "x".repeat(1000) } };
  expect(sentenceOf(readEvent({ type: "platform.job.event", data }))).toHaveLength(301);
});
