import type { JsonValue } from "../../../contract/contract.ts";
import type { JobResult, JobUrn } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { artifactLinks, artifactPrefix } from "./artifact-links.ts";
import { binaryContent } from "./binary-content.ts";
import { jobMeta } from "../port/job-meta.ts";
import type { McpContent, McpToolResult } from "../port/answers.ts";
import { isObject } from "../../../contract/validation/json-value.ts";

/** Maximum characters of a result that is its own summary. */
const shortEnough = 200;
const maxText = 60;
const maxFields = 20;

/** Summarises a result that is complete in the structured content: short values are shown, long ones counted. */
export function summarise(value: unknown, json: string): string {
  if (json.length <= shortEnough) return json;
  if (!isObject(value)) return sketch(value);
  const fields = Object.entries(value).filter(([name]) => name !== "$schema");
  const shown = fields.slice(0, maxFields).map(([name, field]) => `${name}: ${sketch(field)}`);
  const left = fields.length - shown.length;
  return [...shown, ...(left > 0 ? [`\u2026 and ${left} more`] : [])].join("\n");
}

function sketch(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  if (isObject(value)) {
    const count = Object.keys(value).length;
    return count === 1 ? "1 field" : `${count} fields`;
  }
  if (typeof value !== "string") return String(value);
  // The text is cut by code points, so that no character is split.
  const points = Array.from(value);
  return JSON.stringify(points.length <= maxText ? value : `${points.slice(0, maxText - 1).join("")}\u2026`);
}

/**
 * Converts a job's result into the answer to `tools/call`.
 *
 * @throws ToolError when a binary result cannot be read
 */
export async function renderResult(tool: Tool, result: JobResult, jobId: JobUrn): Promise<McpToolResult> {
  const _meta = jobMeta(jobId);
  switch (result.kind) {
    case "binary":
      return { content: [await binaryContent(result, `${jobId}#result`)], _meta };
    case "text":
      return { content: [{ type: "text", text: result.text }], ...structured(tool, result.text), _meta };
    case "json":
      return { ...renderJson(tool, result.json), _meta };
  }
}

interface ContentResult {
  readonly content: readonly McpContent[];
}

function renderJson(tool: Tool, json: string): McpToolResult {
  const value = JSON.parse(json) as JsonValue;
  if (tool.definition.result.kind === "content") return { content: (value as unknown as ContentResult).content };
  const nothing = tool.definition.result.kind === "none";
  return {
    // The prefix is searched first, which is cheaper than a walk: most results name no artifacts.
    content: nothing
      ? []
      : [...textBlock(tool, value, json), ...(json.includes(artifactPrefix) ? artifactLinks(value) : [])],
    ...(nothing ? structured(tool, value) : { structuredContent: wrap(tool, value) }),
  };
}

/**
 * Returns structured content if the tool has an output schema, which requires it; otherwise the answer is only text.
 */
function structured(tool: Tool, value: JsonValue): { readonly structuredContent?: JsonValue } {
  return tool.definition.mcp.outputSchema === undefined ? {} : { structuredContent: wrap(tool, value) };
}

function wrap(tool: Tool, value: JsonValue): JsonValue {
  return tool.definition.mcp.wrapped === true ? { result: value } : value;
}

function textBlock(tool: Tool, value: JsonValue, json: string): readonly McpContent[] {
  switch (tool.options.text ?? "json") {
    case "none":
      return [];
    case "summary":
      return [{ type: "text", text: summarise(value, json) }];
    case "json":
      return [{ type: "text", text: json }];
  }
}
