import { expect, test } from "vitest";
import { awaitedBy, keyFor } from "../../../../../../runtime/web/console/call/awaited.ts";
import { toolOfJob } from "../../../../../../runtime/web/console/jobs/job-tool.ts";
import { readService } from "../../../../../../runtime/web/console/client/definition.ts";

const step = (name: string, state: string): object => ({ step: name, state });

test("a job waits for the messages whose waits run and that were not sent", () => {
  const steps = [
    step("charge", "running"),
    step("~sleep:1", "running"),
    step("~wait:old", "done"),
    step("~wait:late", "failed"),
    step("~wait:sent", "running"),
    step("~wait:approval", "running"),
    step("~wait:received[7]", "running"),
  ];
  const history = { steps, messages: { sent: true } };
  expect(awaitedBy(history, undefined)).toEqual(["approval", "received[7]"]);
  expect(awaitedBy({}, { "waits-for": { message: "approval" } })).toEqual(["approval"]);
  expect(awaitedBy(history, { "waits-for": { message: "approval" } })).toEqual(["approval", "received[7]"]);
  expect(awaitedBy(undefined, undefined)).toEqual([]);
});

test.each([
  [{ name: "a" }, "a", ""],
  [{ name: "a" }, "a[1]", undefined],
  [{ name: "a", keyed: true }, "a[1]", "1"],
  [{ name: "a", keyed: true }, "a[b[2]]", "b[2]"],
  [{ name: "a", keyed: true }, "a", undefined],
  [{ name: "a", keyed: true }, "ab[1]", undefined],
])("of the wait %j, the message %s has the key %s", (wait, message, key) => {
  expect(keyFor(wait, message)).toBe(key);
});

test("a platform finds the tool of a job by the message with a key that it waits for", () => {
  const tools = [{ name: "other" }, { name: "pay", waits: [{ name: "received", keyed: true }] }];
  const services = [{ ...readService("shop", { tools }), urn: "urn:shop" }];
  const job = { service: "urn:shop", tool: undefined };
  expect(toolOfJob(services, { ...job, waitsFor: "received[7]" })?.tool.name).toBe("pay");
  expect(toolOfJob(services, { ...job, waitsFor: undefined })).toBeUndefined();
});
