import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { nameOf, reprDigest } from "../../../../../cli/local-platform/routes/artifact-headers.ts";
import type { Exchange } from "../../../../../cli/local-platform/routes/exchange.ts";

const withHeader = (text: string): Exchange => ({ header: () => text }) as unknown as Exchange;

test.each([
  ["cGFwZXIubWQ=", "paper.md"],
  ["cGFwZXIubWQ", "paper.md"],
  [Buffer.from("größe").toString("base64"), "größe"],
  ["paper.md", "paper.md"],
  // Base64 of bytes that are no text.
  ["data", "data"],
  ["report12", "report12"],
])("X-Name %s is the name %s", (header, name) => expect(nameOf(withHeader(header))).toBe(name));

const hash = (kind: string): string => createHash(kind).update("x").digest("base64");
const sha256 = createHash("sha256").update("x").digest("hex");

test.each([
  [`sha-256=:${hash("sha256")}:`, sha256],
  [`sha-512=:${hash("sha512")}:, sha-256=:${hash("sha256")}:`, sha256],
  [`sha-512=:${hash("sha512")}:`, undefined],
])("Repr-Digest %s is read", (header, digest) => expect(reprDigest(withHeader(header))).toBe(digest));

test.each([
  "",
  "sha-256",
  "sha-256=:nonsense:",
  `sha-256=${hash("sha256")}`,
  `sha-256=:${hash("sha512")}:`,
  `SHA-256=:${hash("sha256")}:`,
  `sha-256=:${hash("sha256")}:,`,
])("Repr-Digest %j is malformed", (header) => {
  expect(() => reprDigest(withHeader(header))).toThrow("Repr-Digest must be sha-256=:DIGEST:");
});
