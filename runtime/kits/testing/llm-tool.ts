import type { JobContext } from "../../executor/run/job-context.ts";
import { DEFAULT_LLM_MODEL } from "../../outside/llm/default-model.ts";
import type { LlmClient } from "../../outside/llm/openai-types.ts";

/** A message of a conversation. */
export interface LlmMessage {
  /** Role of the author of the message. */
  role: "developer" | "system" | "user" | "assistant" | "tool" | "function";
  /** Text of the message. */
  content: string;
  /** Name of the author, if several have one role. */
  name?: string;
}

/**
 * A conversation for the model to continue.
 * @schema urn:platform:schema.llm.request.1
 */
export interface LlmRequest {
  /** The conversation so far. @minItems 1 */
  messages: LlmMessage[];
  /** Name of the model; default: the model of the deployment. */
  model?: string;
}

/** Tokens used by a call of the model. */
export interface LlmUsage {
  /** Tokens of the conversation. */
  prompt_tokens: number;
  /** Tokens of the answer. */
  completion_tokens: number;
  /** Tokens of the conversation and the answer. */
  total_tokens: number;
}

/**
 * Answer of the model.
 * @schema urn:platform:schema.llm.1
 */
export interface LlmResult {
  /** The answer. */
  messages: LlmMessage[];
  /** Tokens used; absent when the server does not report them. */
  usage?: LlmUsage;
}

/** The client's own type also determines the fields of each role; the server checks them. */
type Messages = Parameters<LlmClient["chat"]["completions"]["create"]>[0]["messages"];

/**
 * Asks the language model of the deployment: a body for a tool that shows whether it can be reached.
 *
 * ```ts
 * // with the tag @tool, and a text, above it
 * export async function llm(request: LlmRequest, job: JobContext): Promise<LlmResult> {
 *   return llmTool(request, job);
 * }
 * ```
 *
 * @throws LlmPackageError, LlmConfigurationError as `job.llmClient` does
 */
export async function llmTool(request: LlmRequest, job: JobContext): Promise<LlmResult> {
  const { messages, model = DEFAULT_LLM_MODEL } = request;
  return job.report.step("llm", { message: `Asking ${model}` }, async (step) => {
    const llm = await job.llmClient();
    const { choices, usage } = await llm.chat.completions.create({ model, messages: messages as Messages });
    const said = choices.map(({ message }): LlmMessage => ({ role: message.role, content: message.content ?? "" }));
    step.finished({ message: "Answered", ...usage });
    if (usage === undefined) return { messages: said };
    const { prompt_tokens, completion_tokens, total_tokens } = usage;
    return { messages: said, usage: { prompt_tokens, completion_tokens, total_tokens } };
  });
}
