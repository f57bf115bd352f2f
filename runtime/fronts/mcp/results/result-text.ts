import type { JobResult, JobUrn } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { artifactPrefix } from "./artifact-links.ts";
import type { McpResultText } from "../port/answers.ts";

/**
 * The same answer as `renderResult`, as text and without parsing existing JSON. Undefined for results that need more:
 * binary content, content blocks, summaries, artifacts.
 */
export function resultText({ definition, options }: Tool, result: JobResult, jobId: JobUrn): McpResultText | undefined {
  const { result: declared, mcp } = definition;
  if (result.kind === "text") {
    const text = JSON.stringify(result.text);
    const block = `"content":[{"type":"text","text":${text}}]`;
    if (mcp.outputSchema === undefined) return { members: block, jobId };
    return mcp.wrapped === true ? { members: `${block},"structuredContent":{"result":${text}}`, jobId } : undefined;
  }
  if (result.kind !== "json" || declared.kind !== "json" || (options.text ?? "json") !== "json") return undefined;
  const { json } = result;
  if (json.includes(artifactPrefix)) return undefined;
  const block = `"content":[{"type":"text","text":${JSON.stringify(json)}}]`;
  if (mcp.wrapped === true) return { members: `${block},"structuredContent":{"result":${json}}`, jobId };
  // A result that is not an object has another form in each revision of the protocol.
  return json.startsWith("{") ? { members: `${block},"structuredContent":${json}`, jobId } : undefined;
}
