import { DEFAULT_LLM_MODEL, type JobContext } from "tenon";
import { streamAnswer } from "./stream-answer.ts";
import { TokenEvent } from "./token-event.ts";

/** One turn of a conversation. */
export interface ChatMessage {
  /** Speaker of the message. */
  role: "system" | "user" | "assistant";
  /** Text of the message. @minLength 1 @maxLength 100000 */
  content: string;
}

/**
 * A conversation that waits for an answer.
 * @schema urn:example:schema.chat.request.1
 */
export interface ChatRequest {
  /**
   * The turns so far, the oldest first.
   * @minItems 1
   * @maxItems 200
   * @example [{ "role": "user", "content": "What is a tenon?" }]
   */
  messages: ChatMessage[];
  /** Name of the model; that of the deployment when it is left out. @minLength 1 */
  model?: string;
}

/**
 * The answer.
 * @schema urn:example:schema.chat.1
 */
export interface ChatResult {
  /** The whole answer. */
  answer: string;
  /** Name of the model that was asked. */
  model: string;
  /** Why the answer ends: `stop` when it is complete, `length` when the model's limit cut it. */
  finishReason: string;
  /** Tokens of question and answer; left out when the server does not tell. @type uint32 */
  tokens?: number;
}

/**
 * Answers a conversation with a language model.
 *
 * Every piece of the answer is reported as an event while the model speaks, so that whoever follows the job's events
 * can show it at once; the result has the whole answer. Give all turns of the conversation each time: nothing is
 * remembered.
 *
 * @tool
 * @title Chat
 * @readonly
 * @openWorld
 * @timeout 300s
 */
export async function chat({ messages, model = DEFAULT_LLM_MODEL }: ChatRequest, job: JobContext): Promise<ChatResult> {
  const llm = await job.llmClient();
  return job.report.step("answer", { message: `Asking ${model}` }, async (step) => {
    const { text, finishReason, tokens } = await streamAnswer(llm, { messages, model }, (piece) =>
      step.info(new TokenEvent(piece)),
    );
    // The client ends a stream in silence when the job is stopped: half an answer is none.
    job.signal.throwIfAborted();
    step.finished({ message: `Answered with ${text.length} characters`, ...(tokens !== undefined && { tokens }) });
    return { answer: text, model, finishReason, ...(tokens !== undefined && { tokens }) };
  });
}
