import { hash } from "node:crypto";

/** A hash of 128 bits. It identifies a text: collisions do not occur in practice. */
export function contentHash(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
