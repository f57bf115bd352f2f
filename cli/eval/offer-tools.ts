import type { JsonObject } from "../../runtime/contract/contract.ts";
import { describeTool } from "../../runtime/contract/definition/mcp-descriptor.ts";
import { createToolIndex } from "../../runtime/fronts/mcp/calls/tool-index.ts";
import type { Answer, AskModel, Completion, EvalTool, ModelRequest, Question, Tokens } from "./facts.ts";

/** Everything that a model gets in addition to the sentence. */
export interface Offer {
  /** Text of the service for models; empty for none. */
  readonly instructions: string;
  readonly tools: readonly EvalTool[];
  /**
   * True if tools are behind a search, as in hosts that defer them: the model gets only their names and the
   * instructions.
   */
  readonly isSearched: boolean;
}

const searchName = "search_tools";
const mostSearches = 5;
const mostFound = 8;

/** Builds the first request to a model about a question. */
export function firstRequest(model: string, { sentence }: Question, offer: Offer): ModelRequest {
  const system = systemText(offer);
  return {
    model,
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), { role: "user", content: sentence }],
    tools: offer.isSearched
      ? [searchTool, ...offer.tools.filter(({ alwaysLoad }) => alwaysLoad).map(describe)]
      : offer.tools.map(describe),
  };
}

/** Asks a model one question until it calls a tool or stops. Searches for tools are answered; tools are not run. */
export async function askOnce(
  ask: AskModel,
  { model, question, run }: { readonly model: string; readonly question: Question; readonly run: number },
  offer: Offer,
): Promise<Answer> {
  let request = firstRequest(model, question, offer);
  let tokens: Tokens = { input: 0, output: 0 };
  for (let searches = 0; ; searches++) {
    const answer = await ask(request, run);
    tokens = { input: tokens.input + answer.tokens.input, output: tokens.output + answer.tokens.output };
    // Without a search, a tool of the service may have this name.
    const call = answer.calls.find(({ name }) => !offer.isSearched || name !== searchName);
    if (call !== undefined) return { picked: toolNamed(call.name, offer), arguments: call.arguments, tokens };
    const hasMore = offer.isSearched && answer.calls.length > 0 && searches < mostSearches;
    if (!hasMore) return { tokens };
    request = withFound(request, answer, offer);
  }
}

function systemText({ instructions, tools, isSearched }: Offer): string {
  if (!isSearched) return instructions;
  const names = `Tools, found by ${searchName}: ${tools.map(({ definition }) => definition.name).join(", ")}`;
  return [instructions, names].filter((part) => part !== "").join("\n\n");
}

const searchTool: JsonObject = {
  type: "function",
  function: {
    name: searchName,
    description: "Finds tools by words of the task. A tool can be called once it is found.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
};

function describe({ definition }: EvalTool): JsonObject {
  const { name, description, inputSchema } = describeTool(definition);
  return { type: "function", function: { name: safeName(name), description, parameters: inputSchema } };
}

/** Replaces dots in a tool's name, which function names in the model's API must not contain. */
function safeName(name: string): string {
  return name.replaceAll(".", "_");
}

/** The tool with the name that a model wrote; the name itself if no such tool exists. */
function toolNamed(name: string, { tools }: Offer): string {
  return tools.find(({ definition }) => safeName(definition.name) === name)?.definition.name ?? name;
}

/** Builds the request after a search, with which the model can call the tools that were found. */
function withFound(request: ModelRequest, { calls }: Completion, { tools }: Offer): ModelRequest {
  const index = createToolIndex(tools.map(({ definition }) => definition));
  const answers = calls.map((call) => {
    const names = new Set(index.search(queryOf(call.arguments), mostFound, () => true));
    return tools.filter(({ definition }) => names.has(definition.name));
  });
  const messages = request["messages"] as readonly JsonObject[];
  const ids = calls.map((_, at) => `call_${messages.length}_${at}`);
  const known = request["tools"] as readonly JsonObject[];
  const added = [...new Set(answers.flat())]
    .map(describe)
    .filter((one) => !known.some((other) => JSON.stringify(other) === JSON.stringify(one)));
  return {
    ...request,
    messages: [
      ...messages,
      {
        role: "assistant",
        content: null,
        tool_calls: calls.map((call, at) => ({ id: ids[at] ?? "", type: "function", function: { ...call } })),
      },
      ...answers.map((found, at) => ({ role: "tool", tool_call_id: ids[at] ?? "", content: foundText(found) })),
    ],
    tools: [...known, ...added],
  };
}

function foundText(found: readonly EvalTool[]): string {
  return JSON.stringify(found.map(({ definition: { name, description } }) => ({ name: safeName(name), description })));
}

function queryOf(text: string): string {
  try {
    return String((JSON.parse(text) as { readonly query?: unknown }).query ?? "");
  } catch {
    return text;
  }
}
