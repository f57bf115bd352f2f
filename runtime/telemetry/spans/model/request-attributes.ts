import type { Attributes } from "@opentelemetry/api";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { ModelRequest } from "../../../job/job-span.ts";

/** An operation of the GenAI conventions. */
export interface ModelOperation {
  readonly name: "chat" | "text_completion" | "embeddings";
  /** The value of `openai.api.type`, if the conventions have one. */
  readonly api: "chat_completions" | "responses" | undefined;
}

const operations: Readonly<Record<string, ModelOperation>> = {
  "/chat/completions": { name: "chat", api: "chat_completions" },
  "/responses": { name: "chat", api: "responses" },
  "/completions": { name: "text_completion", api: undefined },
  "/embeddings": { name: "embeddings", api: undefined },
};

/** The model operation of a path; undefined for paths that do not use a model. */
export function operationOf(path: string): ModelOperation | undefined {
  return Object.hasOwn(operations, path) ? operations[path] : undefined;
}

/** Attributes that span and metrics of a call share, apart from the model. */
export function callAttributes({ name }: ModelOperation, { server }: ModelRequest): Attributes {
  return {
    "gen_ai.operation.name": name,
    // Names the variant of the protocol, whichever provider answers.
    "gen_ai.provider.name": "openai",
    "server.address": server.hostname,
    "server.port": server.port === "" ? (server.protocol === "https:" ? 443 : 80) : Number(server.port),
  };
}

/** Attributes of a request from its body, without its messages. */
export function requestAttributes({ name }: ModelOperation, body: Readonly<Record<string, unknown>>): Attributes {
  const { n, stop, stream, service_tier: tier, dimensions, encoding_format: format } = body;
  return defined({
    "gen_ai.request.model": textOf(body["model"]),
    "gen_ai.request.stream": stream === true ? true : undefined,
    "gen_ai.request.choice.count": n === 1 ? undefined : numberOf(n),
    "gen_ai.request.seed": numberOf(body["seed"]),
    "gen_ai.request.temperature": numberOf(body["temperature"]),
    "gen_ai.request.top_p": numberOf(body["top_p"]),
    "gen_ai.request.frequency_penalty": numberOf(body["frequency_penalty"]),
    "gen_ai.request.presence_penalty": numberOf(body["presence_penalty"]),
    "gen_ai.request.max_tokens": numberOf(
      body["max_completion_tokens"] ?? body["max_output_tokens"] ?? body["max_tokens"],
    ),
    "gen_ai.request.stop_sequences": textsOf(typeof stop === "string" ? [stop] : stop),
    "gen_ai.request.encoding_formats": name === "embeddings" ? textsOf([format]) : undefined,
    "gen_ai.embeddings.dimension.count": name === "embeddings" ? numberOf(dimensions) : undefined,
    "gen_ai.output.type": outputType(body),
    "gen_ai.conversation.id": conversationOf(body["conversation"]),
    "openai.request.service_tier": tier === "auto" ? undefined : textOf(tier),
  });
}

function outputType({ response_format: format, text, modalities }: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(modalities) && modalities.includes("audio")) return "speech";
  const { type } = fieldsOf(format ?? fieldsOf(text)["format"]);
  if (type === "json_object" || type === "json_schema") return "json";
  return type === "text" ? "text" : undefined;
}

function conversationOf(conversation: unknown): string | undefined {
  return textOf(isObject(conversation) ? conversation["id"] : conversation);
}

/** The fields of an object; none for other values. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Returns a text that is not empty; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The attributes whose value is not undefined. */
export function defined(attributes: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;
}

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  return texts.length > 0 ? texts : undefined;
}
