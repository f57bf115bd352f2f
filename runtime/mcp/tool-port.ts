import { ToolError } from "../errors.ts";
import type { JsonObject } from "../contract.ts";
import type { Job, Submission } from "../jobs/job.ts";
import { describeThrown } from "../telemetry/describe-thrown.ts";
import { getLogger } from "../telemetry/logging.ts";
import type { Tool } from "../tool.ts";
import { describeTool } from "./describe-tool.ts";
import { faultCodes, McpFault } from "./fault.ts";
import { forwardProgress } from "./forward-progress.ts";
import { findHeaderParameters } from "./header-parameters.ts";
import { pageTools } from "./page-tools.ts";
import type { McpCallContext, McpPort, McpServerInfo, McpToolResult } from "./port.ts";
import { renderError } from "./render-error.ts";
import { renderResult } from "./render-result.ts";

/** A build's tool list never changes, so clients may keep it for an hour; longer would outlive a deployment. */
const defaultToolsTtl = 3_600_000;

export interface ToolPortOptions {
  readonly info: McpServerInfo;
  readonly instructions?: string;
  /** In the order in which `tools/list` shows them. */
  readonly tools: readonly Tool[];
  /** Starts a job. @throws ToolError when it cannot be taken */
  readonly start: (submission: Submission) => Job | Promise<Job>;
  /** Tools per page of `tools/list`; default all, because many clients never ask for a second page. */
  readonly pageSize?: number;
  /** Milliseconds that clients may keep the tool list; default one hour. */
  readonly toolsTtl?: number;
}

/** The tools of a service as MCP engines see them: every call is a job like any other. */
export function createToolPort(options: ToolPortOptions): McpPort {
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const descriptors = options.tools.map(describeTool);
  const headers = new Map(
    options.tools.map((tool) => [tool.name, findHeaderParameters(tool.definition.mcp.inputSchema)]),
  );
  return {
    info: options.info,
    ...(options.instructions !== undefined && { instructions: options.instructions }),
    toolsTtl: options.toolsTtl ?? defaultToolsTtl,
    listTools: (cursor) => pageTools(descriptors, options.pageSize, cursor),
    headerParameters: (tool) => headers.get(tool) ?? [],
    async callTool(name, args, context) {
      const tool = tools.get(name);
      if (tool === undefined) throw new McpFault(faultCodes.invalidParams, `Unknown tool: ${name}`);
      let job: Job;
      try {
        job = await options.start(submission(tool, args, context));
      } catch (thrown) {
        return renderError(ToolError.from(thrown), undefined);
      }
      return await follow(job, context);
    },
  };
}

function submission(tool: Tool, input: JsonObject, context: McpCallContext): Submission {
  const { authorization, traceparent, tracestate } = context;
  return {
    tool,
    input,
    ...(authorization !== undefined && { authorization }),
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  };
}

/** Waits for a job without a limit of its own; the client may cancel it, and the author may have set a `@timeout`. */
async function follow(job: Job, context: McpCallContext): Promise<McpToolResult> {
  const cancel = (): void => job.cancel("The client cancelled the call.");
  if (context.signal.aborted) cancel();
  else context.signal.addEventListener("abort", cancel, { once: true });
  const finishProgress = context.notifyProgress && forwardProgress(job, context.notifyProgress);
  try {
    const outcome = await job.done;
    await finishProgress?.();
    if (outcome.state !== "succeeded") return renderError(outcome.error, job.id);
    return await renderResult(job.tool, outcome.result, job.id);
  } catch (thrown) {
    // The job itself went well: only reading the stream that it gave can fail.
    const error = ToolError.from(thrown);
    getLogger("tenon").error(
      { job_id: job.id, tool: job.tool.name, kind: error.kind, error: describeThrown(error.cause ?? error) },
      "result could not be sent",
    );
    return renderError(error, job.id);
  } finally {
    context.signal.removeEventListener("abort", cancel);
  }
}
