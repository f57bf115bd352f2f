const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const random = (length: number): string => hex(crypto.getRandomValues(new Uint8Array(length)));

/** Makes a UUID of version 7, which begins with the time. */
export function newJobId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const digits = random(10);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

/** Makes a W3C trace context for one call, sampled. */
export function newTraceparent(): string {
  return `00-${random(16)}-${random(8)}-01`;
}

/** Returns the id of a job without the common prefix of its URN. */
export function bareId(urn: string): string {
  return urn.replace(/^urn:platform:job:/, "");
}

/** Returns the end of an id, for places without room for all of it. */
export function shortId(id: string): string {
  return bareId(id).slice(-12);
}
