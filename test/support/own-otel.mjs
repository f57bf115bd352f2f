// An author's own set-up, as `node --import` loads it: traces only, to a collector of its own.
import { subscribe } from "node:diagnostics_channel";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const exporter = new OTLPTraceExporter({ url: `${process.env.OWN_COLLECTOR}/v1/traces` });
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
);

// What the instrumentation of undici does, in short.
if (process.env.OWN_UNDICI !== undefined) {
  const spans = new WeakMap();
  subscribe("undici:request:create", ({ request }) => {
    if (request.origin === process.env.OWN_COLLECTOR) return;
    const span = trace.getTracer("undici").startSpan(request.method, { kind: 2, attributes: { by: "the author" } });
    spans.set(request, span);
    propagation.inject(trace.setSpan(context.active(), span), request, {
      set: (to, name, value) => to.headers.push(name, value),
    });
  });
  subscribe("undici:request:headers", ({ request }) => spans.get(request)?.end());
}
