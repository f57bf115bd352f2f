import { ROOT_CONTEXT } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";

/**
 * A context whose methods are those of its class. The API's own gives each context closures of its own as methods; with
 * one for each job, whole jobs and their requests outlived V8's scavenges until that code was optimised. Values are
 * copied, so a context keeps none of those that it comes from: a loop that goes on inside of its own spans does not
 * grow.
 */
export class FlatContext implements Context {
  /** Asked for what is not among the values. */
  readonly #base: Context;
  readonly #values: ReadonlyMap<symbol, unknown>;

  constructor(base: Context, values: ReadonlyMap<symbol, unknown>) {
    this.#base = base;
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.has(key) ? this.#values.get(key) : this.#base.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new FlatContext(this.#base, new Map(this.#values).set(key, value));
  }

  deleteValue(key: symbol): Context {
    return this.setValue(key, undefined);
  }
}

const flatRoot: Context = new FlatContext(ROOT_CONTEXT, new Map());

/** The same context; what is derived from it is flat. */
export function flattened(of: Context): Context {
  if (of === ROOT_CONTEXT) return flatRoot;
  return of instanceof FlatContext ? of : new FlatContext(of, new Map());
}
