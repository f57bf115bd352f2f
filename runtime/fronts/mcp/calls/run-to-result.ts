import type { JsonObject } from "../../../contract/contract.ts";
import { ToolError } from "../../../base/errors.ts";
import type { JobResult } from "../../../job/job.ts";
import { MissingCapabilityError } from "../../../job/question.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { McpInputRequired } from "../port/answers.ts";
import { byPromise } from "../port/by-promise.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import type { McpCallContext } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import type { CallState, RunCall } from "./call-runner.ts";
import { missingCapability } from "./tool-calls.ts";

/**
 * Runs a prompt or a resource to its end or to its next question. An error of the caller has its problem as data, in
 * the same form as the `_meta` of a failed tool result.
 *
 * @throws McpFault for every failure: prompts and resources have no results with `isError`
 */
export async function runToResult(
  tool: Tool,
  args: JsonObject,
  context: McpCallContext,
  run: RunCall,
): Promise<JobResult | McpInputRequired> {
  let error: ToolError;
  try {
    const state = await byPromise<CallState>(context, (rest, done) => run(tool, args, rest, undefined, done));
    if (state.kind === "asks") return state.answer;
    if (state.kind === "refused") throw state.thrown;
    if (state.kind === "goes-on") throw new Error("A call without a limit was left.");
    if (state.outcome.state === "succeeded") return state.outcome.result;
    error = state.outcome.error;
  } catch (thrown) {
    if (thrown instanceof McpFault) throw thrown;
    error = ToolError.from(thrown);
  }
  if (error instanceof MissingCapabilityError) throw missingCapability(error);
  const { content, _meta } = renderError(error, undefined);
  const [block] = content;
  const isCallers = error.kind === "validation" || error.kind === "user-input";
  const code = isCallers ? faultCodes.invalidParams : faultCodes.internalError;
  throw new McpFault(code, block?.type === "text" ? block.text : error.message, isCallers ? _meta : undefined);
}
