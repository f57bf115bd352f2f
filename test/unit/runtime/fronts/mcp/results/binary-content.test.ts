import { expect, test } from "vitest";
import { binaryContent } from "../../../../../../runtime/fronts/mcp/results/binary-content.ts";

const bytes = Buffer.from("Grüße", "latin1");
const base64 = bytes.toString("base64");
const blob = (mimeType: string, data = base64): object => ({
  type: "resource",
  resource: { uri: "urn:x", mimeType, blob: data },
});

test.each<[string, Uint8Array | string, object]>([
  ["text/plain; charset=iso-8859-1", bytes, { type: "text", text: "Grüße" }],
  ["text/plain", Buffer.from("Grüße"), { type: "text", text: "Grüße" }],
  ["text/plain", bytes, blob("text/plain")],
  ["text/plain; charset=nonsense", bytes, blob("text/plain")],
  ["Application/JSON", Buffer.from("{}"), { type: "text", text: "{}" }],
  ["application/ld+json", "{}", { type: "text", text: "{}" }],
  ["application/x-ndjson", "{}", { type: "text", text: "{}" }],
  ["image/svg+xml", "<svg/>", { type: "text", text: "<svg/>" }],
  ["image/png", "ab", { type: "image", data: "YWI=", mimeType: "image/png" }],
  ["audio/mpeg; rate=1", bytes, { type: "audio", data: base64, mimeType: "audio/mpeg" }],
  ["video/mp4", bytes, blob("video/mp4")],
  ["", bytes, blob("application/octet-stream")],
])("%s", async (contentType, content, expected) => {
  expect(await binaryContent({ kind: "binary", contentType, content }, "urn:x")).toEqual(expected);
});

test("a view into a larger buffer sends its own bytes only", async () => {
  const view = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
  expect(await binaryContent({ kind: "binary", contentType: "image/png", content: view }, "urn:x")).toEqual({
    type: "image",
    data: "AQI=",
    mimeType: "image/png",
  });
});
