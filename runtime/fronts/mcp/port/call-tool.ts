import type { JsonObject } from "../../../contract/contract.ts";
import type { McpCallEnd, McpToolAnswer, McpToolResult } from "./answers.ts";
import { byPromise } from "./by-promise.ts";
import { McpFault } from "./fault.ts";
import { jobMeta } from "./job-meta.ts";
import type { McpCallContext, McpPort } from "./port.ts";

/**
 * Calls a tool and returns a promise, for engines that take results as objects. @throws McpFault see {@link
 * McpPort.startCall}
 */
export async function callTool(
  port: Pick<McpPort, "startCall">,
  name: string,
  args: JsonObject,
  context: McpCallContext,
): Promise<McpToolAnswer> {
  const end = await byPromise<McpCallEnd>(context, (rest, done) => port.startCall(name, args, rest, done));
  if (end instanceof McpFault) throw end;
  if (!("members" in end)) return end;
  return { ...(JSON.parse(`{${end.members}}`) as McpToolResult), _meta: jobMeta(end.jobId) };
}
