import { faultCodes, faultMessage } from "../port/fault.ts";
import type { LongLine } from "./split-lines.ts";

const id = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")`;
const version = String.raw`\s*"jsonrpc"\s*:\s*"2\.0"\s*`;
const idFirst = new RegExp(String.raw`^\s*\{(?:${version},)?\s*${id}\s*,\s*"method"`);
const methodFirst = new RegExp(String.raw`^\s*\{(?:${version},)?\s*"method"`);
const idLast = new RegExp(String.raw`[^\\]${id}\s*(?:,${version})?\}\s*$`);

/**
 * Returns the answer to a message of which only the ends are known, because it is larger than `limit` bytes. Its id is
 * found in the orders in which clients write the members of a request: without an id, a client would wait for ever.
 */
export function tooLongMessage({ begin, end }: LongLine, limit: number): object {
  const head = begin.toString();
  const found = idFirst.exec(head) ?? (methodFirst.test(head) ? idLast.exec(end.toString()) : null);
  const requestId = found?.[1] === undefined ? null : (JSON.parse(found[1]) as string | number);
  return faultMessage(faultCodes.invalidRequest, `The message is larger than ${limit} bytes.`, requestId);
}
