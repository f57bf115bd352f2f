import { AsyncLocalStorage } from "node:async_hooks";
import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import type { ExportWatch } from "./export-watch.ts";
import { suppressTracing } from "./official.ts";

interface Result {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter {
  export(items: never, done: (result: Result) => void): void;
}

/**
 * Counts the items that an exporter sends and loses. Sending is deferred and runs outside of every job: the job that
 * fills a batch does not wait for its encoding, and the request does not get the job's context.
 */
export function watched<E extends Exporter>(exporter: E, watch: ExportWatch, count: (items: unknown) => number): E {
  const outside = AsyncLocalStorage.snapshot();
  const wrapper = Object.create(exporter) as E;
  const send = (items: never, done: (result: Result) => void): void => {
    exporter.export(items, (result) => {
      if (result.code === 0) watch.exported(count(items));
      else watch.failed(count(items), result.error ?? new Error("refused"));
      done(result);
    });
  };
  wrapper.export = (items, done) => {
    setImmediate(() => outside(() => context.with(suppressTracing(ROOT_CONTEXT), () => send(items, done))));
  };
  return wrapper;
}
