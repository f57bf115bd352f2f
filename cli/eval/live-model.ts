import { DEFAULT_LLM_MODEL } from "../../runtime/outside/llm/default-model.ts";
import { createLlmClient } from "../../runtime/outside/llm/llm-client.ts";
import { getLogger } from "../../runtime/telemetry/log/logging.ts";
import { CommandError } from "../base/usage.ts";
import type { AskModel, Completion } from "./facts.ts";

/** The model for a project that names none. */
export const defaultModel: string = DEFAULT_LLM_MODEL;

/** Asks models with the project's client, whose address and key are found as in `job.llmClient()`. */
export async function liveModel(env: NodeJS.ProcessEnv = process.env): Promise<AskModel> {
  const job = { signal: new AbortController().signal, logger: getLogger("tenon") };
  const client = await createLlmClient(job, {}, env).catch((error: unknown) => {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  });
  return async (request) => {
    try {
      return completionOf((await client.chat.completions.create(request as never)) as unknown as ChatAnswer);
    } catch (error) {
      // The message names the model.
      throw new CommandError(error instanceof Error ? error.message : String(error));
    }
  };
}

/** The part of an answer of `chat/completions` that is read. */
interface ChatAnswer {
  readonly choices?: readonly {
    readonly message?: {
      readonly tool_calls?: readonly { readonly function?: { readonly name?: string; readonly arguments?: string } }[];
    };
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
}

function completionOf({ choices = [], usage = {} }: ChatAnswer): Completion {
  const calls = choices[0]?.message?.tool_calls ?? [];
  return {
    calls: calls.map(({ function: { name = "", arguments: text = "" } = {} }) => ({ name, arguments: text })),
    tokens: { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 },
  };
}
