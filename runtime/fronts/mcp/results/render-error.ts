import type { ToolError } from "../../../base/errors.ts";
import { problemBody } from "../../http/problem.ts";
import type { JobUrn } from "../../../job/job.ts";
import { jobMeta, problemMeta } from "../port/job-meta.ts";
import type { McpToolResult } from "../port/answers.ts";

/**
 * Converts a failed call into a tool result: the problem's detail as over REST, then every problem on a separate line.
 */
export function renderError(error: ToolError, jobId: JobUrn | undefined): McpToolResult {
  const problem = problemBody(error, jobId);
  const lines = [
    problem.detail,
    ...(error.problems ?? []).map(({ path, message }) => `- ${path === "" ? "(root)" : path}: ${message}`),
    ...(error.retryAfter === undefined ? [] : [`Try again in ${Math.ceil(error.retryAfter)} s.`]),
  ];
  return {
    content: [{ type: "text", text: lines.join("\n") }],
    isError: true,
    _meta: { ...jobMeta(problem["job-id"]), ...problemMeta(problem) },
  };
}
