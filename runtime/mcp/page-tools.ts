import { faultCodes, McpFault } from "./fault.ts";
import type { McpToolDescriptor, McpToolPage } from "./port.ts";

/**
 * One page of a list that never changes while the server runs. A cursor names the tool that the page begins with, so
 * that it also holds on another instance of the same service.
 *
 * @throws McpFault `invalidParams` for a cursor that this list did not give
 */
export function pageTools(
  tools: readonly McpToolDescriptor[],
  pageSize: number | undefined,
  cursor: string | undefined,
): McpToolPage {
  const start = cursor === undefined ? 0 : tools.findIndex((tool) => cursorOf(tool) === cursor);
  if (start < 0) {
    throw new McpFault(faultCodes.invalidParams, "Invalid cursor. Start again without one.");
  }
  const end = pageSize === undefined ? tools.length : start + pageSize;
  const next = tools[end];
  return { tools: tools.slice(start, end), ...(next !== undefined && { nextCursor: cursorOf(next) }) };
}

function cursorOf(tool: McpToolDescriptor): string {
  return Buffer.from(`from:${tool.name}`).toString("base64url");
}
