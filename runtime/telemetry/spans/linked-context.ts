import { ROOT_CONTEXT } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";

/**
 * A context that has one value more than its parent. The API's own gives each context closures of its own as methods,
 * by which V8 keeps the context, and with it the job and its request, until a full collection, as long as that code is
 * not optimised.
 */
export class LinkedContext implements Context {
  readonly #parent: Context;
  readonly #key: symbol | undefined;
  readonly #value: unknown;

  constructor(parent: Context, key: symbol | undefined, value: unknown) {
    this.#parent = parent;
    this.#key = key;
    this.#value = value;
  }

  getValue(key: symbol): unknown {
    return key === this.#key ? this.#value : this.#parent.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new LinkedContext(this, key, value);
  }

  deleteValue(key: symbol): Context {
    return new LinkedContext(this, key, undefined);
  }
}

/** The root, whose children are linked. */
export const linkedRoot: Context = new LinkedContext(ROOT_CONTEXT, undefined, undefined);
