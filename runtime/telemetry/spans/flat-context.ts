import { ROOT_CONTEXT, type Context } from "@opentelemetry/api";

/**
 * A context whose methods are those of its class. The API's own class creates closures for each context; with one
 * context per job, whole jobs and their requests survived V8's scavenges until that code was optimised. Values are
 * copied, so a context does not keep its ancestors in memory: a loop inside of its own spans does not grow.
 */
export class FlatContext implements Context {
  /** Context for keys that are not among the values. */
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

/** The same context as a flat one, so that contexts derived from it are flat too. */
export function flattened(of: Context): Context {
  if (of === ROOT_CONTEXT) return flatRoot;
  return of instanceof FlatContext ? of : new FlatContext(of, new Map());
}
