import type { LlmClient } from "tenon";
import type { ChatMessage } from "./chat.ts";

/** Outcome of a stream. */
export interface Answer {
  readonly text: string;
  /** As the server says it; `unknown` when it does not. */
  readonly finishReason: string;
  readonly tokens: number | undefined;
}

/** Asks for an answer and hands its pieces on as they come. */
export async function streamAnswer(
  llm: LlmClient,
  question: { readonly messages: ChatMessage[]; readonly model: string },
  onPiece: (piece: string) => void,
): Promise<Answer> {
  const stream = await llm.chat.completions.create({
    ...question,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  let finishReason = "unknown";
  let tokens: number | undefined;
  for await (const { choices, usage } of stream) {
    tokens = usage?.total_tokens ?? tokens;
    const [choice] = choices;
    finishReason = choice?.finish_reason ?? finishReason;
    const piece = choice?.delta.content ?? "";
    if (piece === "") continue;
    text += piece;
    onPiece(piece);
  }
  return { text, finishReason, tokens };
}
