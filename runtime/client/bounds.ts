import { unexpected } from "./call-error.ts";

/** Bytes or characters that a client holds at once: ten times what a tool may give. What has no end fills the memory. */
const longest = 64 * 1024 ** 2;

/** Stops reading what is longer than any answer. @throws CallError `unexpected`, with the source */
export function requireBounded(size: number, source: string): void {
  if (size > longest) throw unexpected(`${source} exceeds 64 MiB.`);
}
