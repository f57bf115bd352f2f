import { hash } from "node:crypto";

/** A name of 128 bits for a text: equal for equal texts, and for no two others that anyone will ever meet. */
export function contentHash(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
