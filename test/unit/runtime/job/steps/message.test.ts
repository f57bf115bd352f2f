import { expect, test } from "vitest";
import { writtenMessage } from "../../../../../runtime/job/steps/message.ts";

const receiver = { waits: [{ name: "item", keyed: true }] } as const;

test.each([
  ["a line break", "x]\nitem[y"],
  ["a zero", "\0"],
  ["201 characters", "x".repeat(201)],
  ["no character", ""],
])("a message whose key has %s is refused, as no wait can have that key", (_, key) => {
  expect(() => writtenMessage(receiver, { name: "item", key, body: 1 })).toThrow(
    expect.objectContaining({ kind: "bad-request", message: expect.stringContaining("1 to 200 characters") as string }),
  );
});

test("a key may have any other characters", () => {
  expect(writtenMessage(receiver, { name: "item", key: "ä]/ 1", body: 1 })).toEqual({ name: "item[ä]/ 1]", body: "1" });
});
