import { fieldsOf, numberOf, textOf } from "./request-attributes.ts";

/** A part of a message, in the form of the GenAI conventions. */
export type MessagePart = Readonly<Record<string, unknown>> & { readonly type: string };

interface Choice {
  text: string;
  reason: string;
  readonly calls: Map<number, { id: unknown; name: unknown; arguments: string }>;
}

/** Names of finish reasons in the conventions, if they differ from the protocol's. */
const reasons: Readonly<Record<string, string>> = {
  tool_calls: "tool_call",
  function_call: "tool_call",
  completed: "stop",
  max_output_tokens: "length",
  failed: "error",
  cancelled: "error",
};

/** Collects the messages of an answer from its pieces, in the form of `gen_ai.output.messages`. */
export class OutputMessages {
  readonly #choices = new Map<number, Choice>();
  #output: readonly MessagePart[] | undefined;

  /** Reads the message of a choice, or the next streamed part of that message. */
  choice(
    index: number,
    { content, refusal, tool_calls: calls }: Readonly<Record<string, unknown>>,
    reason?: string,
  ): void {
    const choice = this.#at(index);
    choice.text += textOf(content) ?? textOf(refusal) ?? "";
    if (reason !== undefined) choice.reason = reasons[reason] ?? reason;
    if (!Array.isArray(calls)) return;
    for (const [place, item] of calls.entries()) {
      const { id, index: at = place, function: asked } = fieldsOf(item);
      const { name, arguments: text } = fieldsOf(asked);
      const number = numberOf(at) ?? place;
      const call = choice.calls.get(number);
      if (call === undefined) choice.calls.set(number, { id, name, arguments: textOf(text) ?? "" });
      else call.arguments += textOf(text) ?? "";
    }
  }

  /** Reads the output of a response that has ended. */
  response(output: unknown, reason: string): void {
    this.#at(0).reason = reasons[reason] ?? reason;
    this.#output = Array.isArray(output) ? output.flatMap((item) => partsOf(fieldsOf(item))) : [];
  }

  toJSON(): readonly unknown[] {
    const indices = [...this.#choices].toSorted(([left], [right]) => left - right);
    return indices.map(([, { text, reason, calls }]) => ({
      role: "assistant",
      parts: this.#output ?? [
        ...(text === "" ? [] : [{ type: "text", content: text }]),
        ...[...calls.values()].map((call) => callPart(call.id, call.name, call.arguments)),
      ],
      finish_reason: reason,
    }));
  }

  #at(index: number): Choice {
    let choice = this.#choices.get(index);
    if (choice === undefined) this.#choices.set(index, (choice = { text: "", reason: "stop", calls: new Map() }));
    return choice;
  }
}

/** The parts of an item of the responses API, in a request or an answer. */
export function partsOf(item: Readonly<Record<string, unknown>>): readonly MessagePart[] {
  const { type, content, name, call_id: id } = item;
  if (type === "function_call") return [callPart(id, name, item["arguments"])];
  if (type === "function_call_output") return [{ type: "tool_call_response", id, response: item["output"] }];
  return contentParts(content, typeof type === "string" && type !== "message" ? type : undefined);
}

/**
 * The parts of a message's content: a text, or a list of typed pieces. Pieces that are not text keep only their type.
 */
export function contentParts(content: unknown, otherwise?: string): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", content }];
  if (!Array.isArray(content)) return otherwise === undefined ? [] : [{ type: otherwise }];
  return content.map((piece) => {
    const { type, text, refusal } = fieldsOf(piece);
    const words = text ?? refusal;
    return typeof words === "string" ? { type: "text", content: words } : { type: textOf(type) ?? "unknown" };
  });
}

/** A tool call that the model requests; its arguments are parsed if the model wrote JSON. */
export function callPart(id: unknown, name: unknown, text: unknown): MessagePart {
  let given: unknown = text;
  try {
    if (typeof text === "string") given = JSON.parse(text);
  } catch {
    // The arguments are not JSON, so the model's own text is recorded.
  }
  return { type: "tool_call", id, name, arguments: given };
}
