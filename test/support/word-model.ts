import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Offered {
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: { readonly properties?: Readonly<Record<string, unknown>> };
  };
}

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly Offered[];
}

export interface WordModel {
  readonly url: string;
  readonly asked: readonly Asked[];
  stop(): Promise<void>;
}

/**
 * A server that speaks OpenAI's protocol, whose model picks the tool whose description has most words of the sentence,
 * at least two, and gives the numbers of the sentence as its arguments. The model `shy` calls none.
 */
export async function startWordModel(): Promise<WordModel> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      asked.push(body as Asked);
      response.setHeader("content-type", "application/json").end(JSON.stringify(answerOf(body as Asked)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answerOf({ model, messages, tools }: Asked): object {
  const sentence = messages.find(({ role }) => role === "user")?.content ?? "";
  const call = model === "shy" ? undefined : pick(sentence, tools);
  return {
    id: "1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: call === undefined ? "stop" : "tool_calls",
        message: {
          role: "assistant",
          content: call === undefined ? "No." : null,
          ...(call !== undefined && { tool_calls: [{ id: "a", type: "function", function: call }] }),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

function pick(sentence: string, tools: readonly Offered[]): object | undefined {
  const words = wordsOf(sentence);
  const search = tools.find((tool) => tool.function.name === "search_tools");
  if (search !== undefined && tools.length === 1)
    return { name: "search_tools", arguments: JSON.stringify({ query: sentence }) };
  const points = tools
    .filter((tool) => tool !== search)
    .map((tool) => ({ tool, score: [...wordsOf(tool.function.description)].filter((word) => words.has(word)).length }))
    .toSorted((a, b) => b.score - a.score);
  const [best] = points;
  if (best === undefined || best.score < 2) return undefined;
  const numbers = (sentence.match(/\d+/g) ?? []).map(Number);
  const keys = Object.keys(best.tool.function.parameters.properties ?? {});
  const args = Object.fromEntries(keys.flatMap((key, at) => (at < numbers.length ? [[key, numbers[at]]] : [])));
  return { name: best.tool.function.name, arguments: JSON.stringify(args) };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]{4,}/g));
}
