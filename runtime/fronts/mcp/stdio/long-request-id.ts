import type { LongLine } from "./split-lines.ts";

const id = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")`;
const version = String.raw`\s*"jsonrpc"\s*:\s*"2\.0"\s*`;
const idFirst = new RegExp(String.raw`^\s*\{(?:${version},)?\s*${id}\s*,\s*"method"`);
const methodFirst = new RegExp(String.raw`^\s*\{(?:${version},)?\s*"method"`);
const idLast = new RegExp(String.raw`[^\\]${id}\s*(?:,${version})?\}\s*$`);

/**
 * Returns the id of a request of which only the ends are known, in the orders in which clients write its members; null
 * for another message. Without an id, a client would wait for its answer for ever.
 */
export function longRequestId({ begin, end }: LongLine): string | number | null {
  const head = begin.toString();
  const found = idFirst.exec(head) ?? (methodFirst.test(head) ? idLast.exec(end.toString()) : null);
  return found?.[1] === undefined ? null : (JSON.parse(found[1]) as string | number);
}
