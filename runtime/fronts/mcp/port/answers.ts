import type { ContentBlock, JsonObject, JsonValue, PromptMessage } from "../../../contract/contract.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { OpenQuestions } from "../../../job/question.ts";
import type { McpFault } from "./fault.ts";

/** A piece of a tool's answer that a model or a person sees. */
export type McpContent = ContentBlock;

/**
 * Answer to `tools/call`. Every failure of a tool is such an answer with `isError`, so that the model can read it and
 * retry.
 */
export interface McpToolResult {
  readonly content: readonly McpContent[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

/** Questions that the client must answer before the call can end. The client then repeats the call with the answers. */
export interface McpInputRequired {
  readonly inputRequests: OpenQuestions;
  /** Opaque text that the client sends back with the answers. */
  readonly requestState: string;
}

/**
 * A call that continues without its client, which polls the task by its `taskId`. Durations are milliseconds, times RFC
 * 3339.
 */
export interface McpTask {
  readonly taskId: JobUrn;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** A task with its open questions or its outcome. */
export interface McpTaskState extends McpTask {
  readonly inputRequests?: OpenQuestions;
  readonly result?: McpToolResult;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface McpResourceResult {
  readonly contents: readonly ({ readonly uri: string; readonly mimeType: string; readonly _meta?: JsonObject } & (
    | { readonly text: string }
    | { readonly blob: string }
  ))[];
}

export type McpToolAnswer = McpToolResult | McpInputRequired | McpTask;

/** True for an answer that is the call's result. */
export function isToolResult(answer: McpToolAnswer): answer is McpToolResult {
  return "content" in answer;
}

/**
 * A result as text: the members of its JSON object, without braces and without `_meta`, to which the job's id is added
 * later.
 */
export interface McpResultText {
  readonly members: string;
  readonly jobId: JobUrn;
}

/** The end of a started call. */
export type McpCallEnd = McpResultText | McpToolAnswer | McpFault;
