import {
  context,
  logs,
  metrics,
  propagation,
  trace,
  type LoggerProvider,
  type MeterProvider,
  type TextMapPropagator,
  type TracerProvider,
} from "@opentelemetry/api";
import { ownSignals } from "../authors-signals.ts";
import { AsyncLocalStorageContextManager } from "./official.ts";

export interface Providers {
  readonly trace: TracerProvider | undefined;
  readonly metrics: MeterProvider | undefined;
  readonly logs: LoggerProvider | undefined;
}

/**
 * Registers providers with the API, by which an author's own spans, metrics and log records find them. Providers that
 * are already registered stay, and tenon's are then used only by tenon. Returns a function that unregisters them.
 */
export function registerProviders(providers: Providers, propagator: TextMapPropagator): () => void {
  // Context manager and propagator stay registered until the process ends: without spans they have no effect, and
  // another service may use them.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(propagator);
  const own = ownSignals();
  const done: (() => void)[] = [];
  if (providers.trace !== undefined && !own.has("trace") && trace.setGlobalTracerProvider(providers.trace)) {
    own.add("trace");
    done.push(() => own.delete("trace") && trace.disable());
  }
  if (providers.metrics !== undefined && !own.has("metrics") && metrics.setGlobalMeterProvider(providers.metrics)) {
    own.add("metrics");
    done.push(() => own.delete("metrics") && metrics.disable());
  }
  if (providers.logs !== undefined && !own.has("logs") && logs.setGlobalLoggerProvider(providers.logs) !== undefined) {
    own.add("logs");
    done.push(() => own.delete("logs") && logs.disable());
  }
  return () => {
    for (const undo of done) undo();
  };
}
