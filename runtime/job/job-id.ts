import type { JobUrn } from "./job.ts";

/** Prefix of all job URNs. */
export const jobUrnPrefix = "urn:platform:job:";

/** Letters, digits and `-._~` only: the id is used in headers, paths and file names without encoding. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

// Random bytes for 409 ids, from one system call; a call per id would cost more than the rest of the function.
const pool = Buffer.allocUnsafeSlow(4090);
/** The pool as text with 20 digits per id, and the beginning that all ids of one millisecond share. */
const made = { digits: "", next: 0, at: -1, start: "" };

/** Makes a new job URN with a UUIDv7: 74 random bits after the time in milliseconds. */
export function newJobUrn(now: number = Date.now()): JobUrn {
  if (made.next >= made.digits.length) {
    fillFromSystem(pool);
    made.digits = pool.toString("hex");
    made.next = 0;
  }
  if (now !== made.at) {
    const time = now.toString(16).padStart(12, "0");
    made.at = now;
    made.start = `${jobUrnPrefix}${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
  const { digits, next: at } = made;
  made.next = at + 20;
  // The first two bits of this digit are fixed by the UUID variant; the other two are random.
  const variant = variants[digits.charCodeAt(at + 3) & 3];
  return `${made.start}${digits.slice(at, at + 3)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 8, at + 20)}` as JobUrn;
}

const variants = ["8", "9", "a", "b"] as const;

/** True for the id of a job that a schedule has started. No caller can choose such an id. */
export function isFiring(id: string): boolean {
  return /:schedule~/.test(id);
}

/**
 * Returns the URN of an id from a caller, bare or as URN; undefined when the id has illegal characters or is too long.
 */
export function parseJobId(text: string): JobUrn | undefined {
  const bare = text.startsWith(jobUrnPrefix) ? text.slice(jobUrnPrefix.length) : text;
  return plainId.test(bare) ? `${jobUrnPrefix}${bare}` : undefined;
}

/** The id without its prefix, as used in paths. */
export function bareJobId(id: JobUrn): string {
  return id.slice(jobUrnPrefix.length);
}

/**
 * Fills a buffer with unpredictable bytes from the system's random device. The fallback, `node:crypto`, takes longer to
 * load than a whole first request.
 */
export function fillFromSystem(bytes: Buffer, device: string = "/dev/urandom"): void {
  if (!fillFromDevice(bytes, device)) process.getBuiltinModule("node:crypto").randomFillSync(bytes);
}

/** Returns false when there is no such device, it may not be read, or it gives fewer bytes than requested. */
function fillFromDevice(bytes: Buffer, device: string): boolean {
  const { closeSync, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  let file: number;
  try {
    file = openSync(device, "r");
  } catch {
    return false;
  }
  try {
    // A regular file in place of the device is refused, since it would give the same ids to every process.
    return fstatSync(file).isCharacterDevice() && readSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}
