import { hash } from "node:crypto";

/**
 * A hash of 128 bits: of bytes, or of a text in UTF-8. It identifies the content: collisions do not occur in practice.
 */
export function contentHash(content: string | Buffer): string {
  return hash("sha256", content, "base64url").slice(0, 22);
}
