import type { ToolError } from "../errors.ts";
import type { JobUrn } from "../jobs/job.ts";
import { jobMeta } from "./job-meta.ts";
import type { McpToolResult } from "./port.ts";

/** A failed call as a tool result: the problem detail that REST sends, then every problem on its own line. */
export function renderError(error: ToolError, jobId: JobUrn | undefined): McpToolResult {
  const lines = [
    error.message,
    ...(error.problems ?? []).map((problem) => `- ${problem.path === "" ? "(root)" : problem.path}: ${problem.message}`),
    ...(error.retryAfter === undefined ? [] : [`Try again in ${error.retryAfter} s.`]),
  ];
  return { content: [{ type: "text", text: lines.join("\n") }], isError: true, _meta: jobMeta(jobId) };
}
