import type { Attributes } from "@opentelemetry/api";
import { OutputMessages } from "./output-messages.ts";
import { defined, fieldsOf, numberOf, textOf } from "./request-attributes.ts";

/** Tokens that a request has used, if the answer reports them. */
export interface TokenUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads an answer of a model, whole or in pieces, in the forms of chat completions, responses and embeddings. */
export class ModelAnswer {
  /** The messages of the answer; undefined where contents are not captured. */
  readonly messages: OutputMessages | undefined;
  /** The model's own error code in an answer with a status of success. */
  failure: string | undefined;
  #top: Fields = {};
  #usage: Fields = {};
  readonly #reasons = new Map<number, string>();

  constructor(captures: boolean) {
    this.messages = captures ? new OutputMessages() : undefined;
  }

  /** Reads the whole answer, or its next piece. */
  take(value: unknown): void {
    const given = fieldsOf(value);
    // An event of a streamed response contains the response so far.
    const answer = given["object"] !== "response" && "response" in given ? fieldsOf(given["response"]) : given;
    const { id, model, service_tier, system_fingerprint, usage, choices, object } = answer;
    this.#top = { ...this.#top, ...defined({ id, model, service_tier, system_fingerprint }) };
    if (usage !== undefined && usage !== null) this.#usage = fieldsOf(usage);
    if (Array.isArray(choices)) for (const choice of choices) this.#choice(fieldsOf(choice));
    if (object === "response") this.#response(answer);
  }

  get model(): string | undefined {
    return textOf(this.#top["model"]);
  }

  get usage(): TokenUsage {
    const { prompt_tokens, input_tokens, completion_tokens, output_tokens } = this.#usage;
    return { input: numberOf(prompt_tokens ?? input_tokens), output: numberOf(completion_tokens ?? output_tokens) };
  }

  get attributes(): Attributes {
    const usage = this.#usage;
    const input = fieldsOf(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
    const output = fieldsOf(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
    const reasons = [...this.#reasons].toSorted(([left], [right]) => left - right).map(([, reason]) => reason);
    return defined({
      "gen_ai.response.id": textOf(this.#top["id"]),
      "gen_ai.response.model": this.model,
      "gen_ai.response.finish_reasons": reasons.length > 0 ? reasons : undefined,
      "gen_ai.usage.input_tokens": this.usage.input,
      "gen_ai.usage.output_tokens": this.usage.output,
      "gen_ai.usage.cache_read.input_tokens": numberOf(input["cached_tokens"]),
      "gen_ai.usage.reasoning.output_tokens": numberOf(output["reasoning_tokens"]),
      "openai.response.service_tier": textOf(this.#top["service_tier"]),
      "openai.response.system_fingerprint": textOf(this.#top["system_fingerprint"]),
    });
  }

  #choice(choice: Fields): void {
    const index = numberOf(choice["index"]) ?? 0;
    const reason = textOf(choice["finish_reason"]);
    if (reason !== undefined) this.#reasons.set(index, reason);
    this.messages?.choice(index, fieldsOf(choice["message"] ?? choice["delta"] ?? { content: choice["text"] }), reason);
  }

  #response({ status, incomplete_details: incomplete, error, output }: Fields): void {
    const reason = status === "incomplete" ? textOf(fieldsOf(incomplete)["reason"]) : textOf(status);
    if (reason === undefined || !ends.has(String(status))) return;
    this.#reasons.set(0, reason);
    if (status === "failed") this.failure = textOf(fieldsOf(error)["code"]) ?? "failed";
    this.messages?.response(output, reason);
  }
}

/** Final states of a response. */
const ends: ReadonlySet<string> = new Set(["completed", "incomplete", "failed", "cancelled"]);
