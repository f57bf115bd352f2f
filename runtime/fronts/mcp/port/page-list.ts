import { faultCodes, McpFault } from "./fault.ts";

/**
 * Returns one page of a list that never changes while the server runs. A cursor names the first entry of its page, so
 * that it also works on another instance of the same service.
 *
 * @throws McpFault `invalidParams` for a cursor of another list
 */
export function pageList<T>(
  entries: readonly T[],
  nameOf: (entry: T) => string,
  pageSize: number | undefined,
  cursor: string | undefined,
): { readonly page: readonly T[]; readonly nextCursor?: string } {
  const cursorOf = (entry: T): string => Buffer.from(`from:${nameOf(entry)}`).toString("base64url");
  const start = cursor === undefined ? 0 : entries.findIndex((entry) => cursorOf(entry) === cursor);
  if (start < 0) throw new McpFault(faultCodes.invalidParams, "Invalid cursor. Start again without one.");
  const end = pageSize === undefined ? entries.length : start + pageSize;
  const next = entries[end];
  return { page: entries.slice(start, end), ...(next !== undefined && { nextCursor: cursorOf(next) }) };
}
