import type { Attributes } from "@opentelemetry/api";
import { callPart, contentParts, partsOf } from "./output-messages.ts";
import { defined, fieldsOf, textOf } from "./request-attributes.ts";

/** The messages of a request, as the attributes of the GenAI conventions, which are JSON. */
export function inputContents(body: Readonly<Record<string, unknown>>): Attributes {
  const { messages, input, prompt, instructions, tools } = body;
  const said = messages ?? input ?? prompt;
  return defined({
    "gen_ai.input.messages": said === undefined ? undefined : JSON.stringify(messagesOf(said)),
    "gen_ai.system_instructions":
      textOf(instructions) && JSON.stringify([{ type: "text", content: textOf(instructions) }]),
    "gen_ai.tool.definitions": Array.isArray(tools) ? JSON.stringify(tools.map(definitionOf)) : undefined,
  });
}

function messagesOf(said: unknown): readonly unknown[] {
  if (!Array.isArray(said)) return [{ role: "user", parts: contentParts(said) }];
  return said.map((item) =>
    typeof item === "string" ? { role: "user", parts: contentParts(item) } : messageOf(fieldsOf(item)),
  );
}

function messageOf(item: Readonly<Record<string, unknown>>): unknown {
  const { role, type, content, tool_calls: calls, tool_call_id: id } = item;
  if (role === "tool") return { role, parts: [{ type: "tool_call_response", id, response: content }] };
  // An item of the responses API that is not a message has no role, so the role follows from its type.
  if (role === undefined) return { role: type === "function_call_output" ? "tool" : "assistant", parts: partsOf(item) };
  const asked = Array.isArray(calls) ? calls.map(fieldsOf) : [];
  return {
    role,
    parts: [
      ...contentParts(content),
      ...asked.map((call) => {
        const { name, arguments: text } = fieldsOf(call["function"]);
        return callPart(call["id"], name, text);
      }),
    ],
  };
}

/** Returns the definition of a function, which the chat API nests in the tool. */
function definitionOf(tool: unknown): unknown {
  const { type = "function", function: nested, ...flat } = fieldsOf(tool);
  return { type, ...flat, ...fieldsOf(nested) };
}
