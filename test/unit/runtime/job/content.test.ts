import { describe, expect, test } from "vitest";
import { contentValue } from "../../../../runtime/job/content-value.ts";
import { Content, Message } from "../../../../runtime/job/content.ts";

const bytes = new Uint8Array([1, 2, 3]);
const $schema = "urn:platform:schema.content.1";

test.each([
  ["text", Content.text("a"), { type: "text", text: "a" }],
  ["an image", Content.image(bytes, "image/png"), { type: "image", data: "AQID", mimeType: "image/png" }],
  ["a sound", Content.audio(bytes.subarray(1), "audio/wav"), { type: "audio", data: "AgM=", mimeType: "audio/wav" }],
  [
    "a text resource",
    Content.resource("a:b", "c"),
    { type: "resource", resource: { uri: "a:b", mimeType: "text/plain", text: "c" } },
  ],
  [
    "a binary resource",
    Content.resource("a:b", bytes),
    { type: "resource", resource: { uri: "a:b", mimeType: "application/octet-stream", blob: "AQID" } },
  ],
  [
    "a link",
    Content.link("https://example.com/a/b/"),
    { type: "resource_link", uri: "https://example.com/a/b/", name: "b" },
  ],
  [
    "a link with everything",
    Content.link("urn:platform:artifact:1", {
      name: "n",
      title: "t",
      description: "d",
      mimeType: "a/b",
      size: 1,
      priority: 0,
    }),
    {
      type: "resource_link",
      uri: "urn:platform:artifact:1",
      name: "n",
      title: "t",
      description: "d",
      mimeType: "a/b",
      size: 1,
      annotations: { priority: 0 },
    },
  ],
  [
    "annotations",
    Content.text("a", { audience: ["user"], priority: 1, lastModified: new Date(0) }),
    {
      type: "text",
      text: "a",
      annotations: { audience: ["user"], priority: 1, lastModified: "1970-01-01T00:00:00.000Z" },
    },
  ],
])("%s", (_, content, block) => {
  expect(content.block).toEqual(block);
  expect(JSON.parse(JSON.stringify(content))).toEqual(block);
});

test("a bad media type and a bad priority are refused where they are written", () => {
  expect(() => Content.image(bytes, "png")).toThrow(
    new TypeError('"png" is not a valid media type; write one such as "image/png".'),
  );
  expect(() => Content.text("a", { priority: 2 })).toThrow(new TypeError("A priority is a number from 0 to 1, not 2."));
  expect(() => Content.text("a", { priority: Number.NaN })).toThrow("A priority is a number from 0 to 1, not NaN.");
});

describe("the wire value", () => {
  test("of contents and strings is a list of blocks", () => {
    const a = { type: "text", text: "a" };
    expect(contentValue(Content.text("a"))).toEqual({ $schema, content: [a] });
    expect(contentValue("a")).toEqual({ $schema, content: [a] });
    expect(contentValue(["a", Content.text("b")])).toEqual({ $schema, content: [a, { type: "text", text: "b" }] });
    expect(contentValue([])).toEqual({ $schema, content: [] });
  });

  test("with a message is a list of messages", () => {
    expect(contentValue([Message.assistant("a"), "b"])).toEqual({
      $schema,
      messages: [
        { role: "assistant", content: { type: "text", text: "a" } },
        { role: "user", content: { type: "text", text: "b" } },
      ],
    });
  });

  test.each([[null], [1], [{}], [["a", 1]], [{ type: "text", text: "a" }]])("%j is none", (value) => {
    expect(contentValue(value)).toBeUndefined();
  });
});
