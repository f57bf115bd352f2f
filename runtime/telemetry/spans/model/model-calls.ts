import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Histogram,
  type Meter,
  type Tracer,
} from "@opentelemetry/api";
import type { ModelCall, ModelCallStarter, ModelRequest } from "../../../job/job-span.ts";
import { cleanText, longestText } from "../attributes.ts";
import { inputContents } from "./input-messages.ts";
import { ModelAnswer } from "./model-answer.ts";
import {
  callAttributes,
  defined,
  fieldsOf,
  operationOf,
  requestAttributes,
  textOf,
  type ModelOperation,
} from "./request-attributes.ts";
import { errorType, serverNames, type ServerNames } from "./server-names.ts";

/** A call that ends with the job if nobody reads its answer. */
interface Open {
  end(): void;
}

export interface ModelCallsOptions {
  /** Undefined when requests get no spans. */
  readonly tracer: Tracer | undefined;
  /** Undefined when metrics are not collected. */
  readonly meter: Meter | undefined;
  /** True if spans contain the messages to and from the model. */
  readonly captures: boolean;
  /** The context of the calling code. */
  readonly current: () => Context;
  /** The job's token, which must not appear in a text. */
  readonly token: () => string | undefined;
  /** Calls whose spans are open. */
  readonly open: { add(call: Open): unknown; delete(call: Open): unknown };
}

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);

interface Instruments {
  readonly duration: Histogram;
  readonly firstChunk: Histogram;
  readonly tokens: Histogram;
}

/** Makes spans and metrics of requests to language models, with the names of the GenAI conventions. */
export function modelCallStarter(options: ModelCallsOptions): ModelCallStarter {
  const instruments = options.meter && createInstruments(options.meter);
  const names = serverNames(options.meter);
  return (request) => {
    const operation = operationOf(request.path);
    return operation && new ObservedModelCall(operation, request, { ...options, names }, instruments);
  };
}

function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, unit: string, description: string, boundaries: number[]): Histogram =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: boundaries } });
  return {
    duration: histogram("gen_ai.client.operation.duration", "s", "GenAI operation duration.", seconds),
    firstChunk: histogram(
      "gen_ai.client.operation.time_to_first_chunk",
      "s",
      "Time from the request to the first piece of a streamed answer.",
      seconds,
    ),
    tokens: histogram("gen_ai.client.token.usage", "{token}", "Number of input and output tokens used.", tokens),
  };
}

class ObservedModelCall implements ModelCall {
  readonly #operation: ModelOperation;
  readonly #options: ModelCallsOptions & { readonly names: ServerNames };
  readonly #instruments: Instruments | undefined;
  readonly #common: Attributes;
  readonly #context: Context;
  readonly #answer: ModelAnswer;
  readonly #start = performance.now();
  /** Milliseconds of `performance.now()` at the last activity. */
  #last: number = this.#start;
  #pieces = 0;
  #ended = false;

  constructor(
    operation: ModelOperation,
    request: ModelRequest,
    options: ModelCallsOptions & { readonly names: ServerNames },
    instruments: Instruments | undefined,
  ) {
    this.#operation = operation;
    this.#options = options;
    this.#instruments = instruments;
    this.#common = callAttributes(operation, request);
    this.#answer = new ModelAnswer(options.captures && operation.name !== "embeddings");
    const parent = options.current();
    const attributes = { ...this.#common, ...defined({ "openai.api.type": operation.api }) };
    const span = options.tracer?.startSpan(operation.name, { kind: SpanKind.CLIENT, attributes }, parent);
    this.#context = span === undefined ? parent : trace.setSpan(parent, span);
    options.open.add(this);
  }

  run<T>(callback: () => T): T {
    return context.with(this.#context, callback);
  }

  asked(body: unknown): void {
    const fields = fieldsOf(body);
    const attributes = this.#clean(requestAttributes(this.#operation, fields));
    const model = textOf(attributes["gen_ai.request.model"]);
    if (model !== undefined) {
      this.#common["gen_ai.request.model"] = model;
      this.#span?.updateName(`${this.#operation.name} ${model}`);
    }
    this.#span?.setAttributes(attributes);
    if (this.#answer.messages !== undefined) this.#span?.setAttributes(this.#clean(inputContents(fields), Infinity));
  }

  arrived(): void {
    this.#last = performance.now();
  }

  piece(piece: unknown): void {
    this.arrived();
    this.#pieces += 1;
    if (this.#pieces === 1 && !this.#ended) {
      const time = this.#seconds;
      this.#span?.setAttribute("gen_ai.response.time_to_first_chunk", time);
      this.#instruments?.firstChunk.record(time, this.#common);
    }
    this.#answer.take(piece);
  }

  answered(answer?: unknown): void {
    this.arrived();
    if (answer !== undefined) this.#answer.take(answer);
    const { failure } = this.#answer;
    this.#finish(failure === undefined ? undefined : (this.#options.names.code(failure) ?? "failed"));
  }

  failed(thrown: unknown): void {
    this.arrived();
    this.#finish(errorType(thrown, this.#options.names.code));
  }

  /** Ends a call whose answer nobody has read, with the time at which the answer arrived. */
  end(): void {
    this.#finish(undefined);
  }

  get #span(): ReturnType<Tracer["startSpan"]> | undefined {
    return this.#options.tracer && trace.getSpan(this.#context);
  }

  get #seconds(): number {
    return (this.#last - this.#start) / 1000;
  }

  #finish(failure: string | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.open.delete(this);
    const { names } = this.#options;
    const { attributes, messages, model, usage } = this.#answer;
    const failed = failure === undefined ? {} : this.#clean({ "error.type": failure });
    const span = this.#span;
    span?.setAttributes(this.#clean({ ...attributes, ...failed }));
    if (messages !== undefined)
      span?.setAttributes(this.#clean({ "gen_ai.output.messages": JSON.stringify(messages) }, Infinity));
    if (failure !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end(this.#last);
    const common = { ...this.#common, ...this.#clean(defined({ "gen_ai.response.model": names.model(model) })) };
    this.#instruments?.duration.record(this.#seconds, { ...common, ...failed });
    for (const [type, count] of Object.entries(usage) as [string, number | undefined][])
      if (count !== undefined) this.#instruments?.tokens.record(count, { ...common, "gen_ai.token.type": type });
  }

  /** Removes secrets from texts. `limit`: maximum characters of a text. */
  #clean(attributes: Attributes, limit: number = longestText): Attributes {
    const token = this.#options.token();
    const clean = (text: string): string => cleanText(text, token, limit);
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        typeof value === "string"
          ? clean(value)
          : Array.isArray(value)
            ? value.map((item) => (typeof item === "string" ? clean(item) : item))
            : value,
      ]),
    ) as Attributes;
  }
}
