import { formatTraceparent, parseTraceContext } from "../../job/trace-context.ts";
import type { ProtoWriter } from "./proto-writer.ts";
import { idsSize, traceIdSize } from "./span-ids.ts";
import type { SpanIds } from "./span-ids.ts";

/** As in OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
export type SpanKind = keyof typeof spanKinds;
/** As in OTLP. */
export const statusCodes = { unset: 0, ok: 1, error: 2 } as const;

/** Lists hold values of one kind. */
export type AttributeValue = string | number | boolean | readonly (string | number | boolean)[];

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  /** As `performance.now()`. */
  readonly time: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** The span that another one is below. */
export interface SpanParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  readonly tracestate: string | undefined;
}

/** What a span begins with. */
export interface SpanStart {
  /** Left out where `common` has it. */
  readonly name?: string;
  readonly parent?: SpanParent | undefined;
  /** The parent is in another process. */
  readonly isRemote?: boolean;
  /** Given where it is known already; else one is made. */
  readonly spanId?: string | undefined;
  /** Kind, attributes and name that many spans share, written once with `encodeCommon`. */
  readonly common: Uint8Array;
}

/** Makes spans, and takes them when they have ended. */
export interface SpanSource {
  readonly ids: SpanIds;
  ended(span: Span): void;
}

const sampled = 1;

/** A span as it is kept until it is sent: plain fields, times as numbers, nothing that costs before it is needed. */
export class Span implements SpanParent {
  readonly name: string | undefined;
  readonly flags: number;
  readonly tracestate: string | undefined;
  readonly parentId: string | undefined;
  readonly isRemote: boolean;
  readonly common: Uint8Array;
  /** As `performance.now()`. */
  readonly start: number;
  finish = 0;
  status: keyof typeof statusCodes = "unset";
  message: string | undefined;
  events: SpanEvent[] | undefined;
  /** The job that it belongs to, an attribute of nearly all spans. */
  jobId: string | undefined;
  /** Names and values by turns. */
  attributes: (string | AttributeValue)[] | undefined;
  /** Fields that an end has in common with others; see `common`. */
  ending: Uint8Array | undefined;
  /** Hex digits of ids that were given, or asked for, as few are; else they are the drawn ones. */
  #traceId: string | undefined;
  #spanId: string | undefined;
  /** The ids that were drawn for the span, and where in them. */
  readonly #ids: Buffer;
  readonly #idsAt: number;
  readonly #source: SpanSource;

  constructor(source: SpanSource, { name, parent, isRemote = false, spanId, common }: SpanStart) {
    this.#source = source;
    this.name = name;
    this.#traceId = parent?.traceId;
    this.#spanId = spanId;
    this.#idsAt = source.ids.draw();
    this.#ids = source.ids.bytes;
    // Who calls decides whether the trace is kept; without a caller it is.
    this.flags = parent === undefined ? sampled : parent.flags & sampled;
    this.tracestate = parent?.tracestate;
    this.parentId = parent?.spanId;
    this.isRemote = isRemote;
    this.common = common;
    this.start = performance.now();
  }

  get traceId(): string {
    return (this.#traceId ??= this.#ids.toString("hex", this.#idsAt, this.#idsAt + traceIdSize));
  }

  get spanId(): string {
    return (this.#spanId ??= this.#ids.toString("hex", this.#idsAt + traceIdSize, this.#idsAt + idsSize));
  }

  /** The ids as fields of a message. */
  writeIds(writer: ProtoWriter, traceField: number, spanField: number): void {
    if (this.#traceId !== undefined) writer.hex(traceField, this.#traceId);
    else writer.bytes(traceField, this.#ids, this.#idsAt, traceIdSize);
    if (this.#spanId !== undefined) writer.hex(spanField, this.#spanId);
    else writer.bytes(spanField, this.#ids, this.#idsAt + traceIdSize, idsSize - traceIdSize);
  }

  get traceparent(): string {
    return formatTraceparent(this);
  }

  set(name: string, value: AttributeValue): this {
    (this.attributes ??= []).push(name, value);
    return this;
  }

  failed(message?: string): this {
    this.status = "error";
    this.message = message;
    return this;
  }

  addEvent(name: string, attributes: SpanEvent["attributes"]): void {
    (this.events ??= []).push({ name, time: performance.now(), attributes });
  }

  /** Ends the span; to be called once. */
  end(): void {
    this.finish = performance.now();
    if (this.flags === sampled) this.#source.ended(this);
  }
}

/** The caller's span as headers tell it; undefined without a good `traceparent`. */
export function remoteParent(traceparent: string | undefined, tracestate: string | undefined): SpanParent | undefined {
  return traceparent === undefined ? undefined : parseTraceContext(traceparent, tracestate);
}
