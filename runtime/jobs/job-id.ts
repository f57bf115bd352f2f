import type { JobUrn } from "./job.ts";

/** What every job URN begins with. */
export const jobUrnPrefix = "urn:platform:job:";

/** Letters, digits and `-._~` only: it travels in headers, paths and file names without encoding. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

const hex: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// One system call for 409 ids; a call per id costs more than everything else in it.
const pool = Buffer.allocUnsafeSlow(4090);
let next = pool.length;

/** A new job URN made of a UUIDv7: 74 random bits behind the time in milliseconds. */
export function newJobUrn(now: number = Date.now()): JobUrn {
  if (next + 10 > pool.length) {
    // Loading it takes 5 ms, which the first request can spare better than the start.
    process.getBuiltinModule("node:crypto").randomFillSync(pool);
    next = 0;
  }
  const at = next;
  next += 10;
  const high = Math.trunc(now / 65_536);
  const low = now % 65_536;
  return `urn:platform:job:${byte(high >>> 24)}${byte(high >>> 16)}${byte(high >>> 8)}${byte(high)}-${byte(low >>> 8)}${byte(low)}-${byte(0x70 | (random(at) & 0x0f))}${byte(random(at + 1))}-${byte(0x80 | (random(at + 2) & 0x3f))}${byte(random(at + 3))}-${byte(random(at + 4))}${byte(random(at + 5))}${byte(random(at + 6))}${byte(random(at + 7))}${byte(random(at + 8))}${byte(random(at + 9))}`;
}

/** The URN of an id that a caller gave, bare or as URN; undefined when it is not a plain id. */
export function parseJobId(text: string): JobUrn | undefined {
  const bare = text.startsWith(jobUrnPrefix) ? text.slice(jobUrnPrefix.length) : text;
  return plainId.test(bare) ? `${jobUrnPrefix}${bare}` : undefined;
}

/** The id without its prefix, as it stands in paths. */
export function bareJobId(id: JobUrn): string {
  return id.slice(jobUrnPrefix.length);
}

function byte(value: number): string {
  return hex[value & 0xff] ?? "";
}

function random(at: number): number {
  return pool[at] ?? 0;
}
