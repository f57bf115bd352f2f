import { SpanKind, type Attributes, type Link, type SpanOptions } from "@opentelemetry/api";

interface LateAttributesOptions {
  readonly kind?: SpanKind;
  readonly links?: Link[];
  /** Returns the attributes; called only by a tracer that records the span. */
  readonly attributes: () => Attributes;
}

/**
 * Options of a span whose attributes are computed only if a tracer records the span, since reading a request's headers
 * costs more than the rest of a short call. This is a class because V8 creates a hidden class for each object literal
 * with a getter, which keeps the getter and the whole request in memory until a full garbage collection.
 */
export class LateAttributes implements SpanOptions {
  readonly kind: SpanKind;
  readonly links: Link[];
  readonly #attributes: () => Attributes;

  constructor({ kind = SpanKind.INTERNAL, links = [], attributes }: LateAttributesOptions) {
    this.kind = kind;
    this.links = links;
    this.#attributes = attributes;
  }

  get attributes(): Attributes {
    return this.#attributes();
  }
}
