/** Identifies a request: equal for the same bytes, or the same text, to the same receiver. */
export function requestDigest(receiver: string, request: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(`${receiver}\n`).update(request).digest("base64url");
}
