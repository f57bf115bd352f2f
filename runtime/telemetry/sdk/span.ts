import { formatTraceparent, parseTraceContext } from "../../job/trace-context.ts";
import type { ProtoWriter } from "./proto-writer.ts";
import { idsSize, traceIdSize } from "./span-ids.ts";
import type { SpanIds } from "./span-ids.ts";

/** Values of OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
export type SpanKind = keyof typeof spanKinds;
/** Values of OTLP. */
export const statusCodes = { unset: 0, ok: 1, error: 2 } as const;

/** Lists hold values of one kind. */
export type AttributeValue = string | number | boolean | readonly (string | number | boolean)[];

/** An event within a span. */
export interface SpanEvent {
  readonly name: string;
  /** As `performance.now()`. */
  readonly time: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** Parent of a span. */
export interface SpanParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  readonly tracestate: string | undefined;
}

/** Initial data of a span. */
export interface SpanStart {
  /** Left out when `common` has it. */
  readonly name?: string;
  readonly parent?: SpanParent | undefined;
  /** The parent is in another process. */
  readonly isRemote?: boolean;
  /** Set when it is known already; default: a new one. */
  readonly spanId?: string | undefined;
  /** Kind, attributes and name that many spans share, encoded once with `encodeCommon`. */
  readonly common: Uint8Array;
}

/** Creates spans, and receives them when they have ended. */
export interface SpanSource {
  readonly ids: SpanIds;
  ended(span: Span): void;
}

const sampled = 1;

/** A span until it is sent: plain fields, times as numbers, nothing computed before it is needed. */
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
  /** Id of its job, an attribute of nearly all spans. */
  jobId: string | undefined;
  /** Names and values alternate. */
  attributes: (string | AttributeValue)[] | undefined;
  /** Encoded fields that many ends share; see `common`. */
  ending: Uint8Array | undefined;
  /** Hex digits of ids, set when they were given or read, as few are. */
  #traceId: string | undefined;
  #spanId: string | undefined;
  /** The pool with the span's ids, and their offset in it. */
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
    // The caller decides if the trace is sampled; without a caller it is.
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

  /** Writes the ids as fields of a message. */
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

  /** Ends the span; call it once. */
  end(): void {
    this.finish = performance.now();
    if (this.flags === sampled) this.#source.ended(this);
  }
}

/** The caller's span from its headers; undefined without a valid `traceparent`. */
export function remoteParent(traceparent: string | undefined, tracestate: string | undefined): SpanParent | undefined {
  return traceparent === undefined ? undefined : parseTraceContext(traceparent, tracestate);
}
