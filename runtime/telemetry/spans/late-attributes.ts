import { SpanKind } from "@opentelemetry/api";
import type { Attributes, Link, SpanOptions } from "@opentelemetry/api";

interface LateAttributesOptions {
  readonly kind?: SpanKind;
  readonly links?: Link[];
  /** Called by a tracer that records. */
  readonly attributes: () => Attributes;
}

/**
 * Options of a span whose attributes are read only by a tracer that records: to read a request's headers costs a short
 * call more than the rest. A class, since an object literal with a getter makes V8 a hidden class of its own each time,
 * which keeps the getter, and with it the whole request, until a full collection.
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
