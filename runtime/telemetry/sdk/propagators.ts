import type { TextMapPropagator } from "@opentelemetry/api";
import { getLogger } from "../log/logging.ts";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "./official.ts";

type Create = () => TextMapPropagator;

const w3c: Readonly<Record<string, Create>> = {
  tracecontext: () => new W3CTraceContextPropagator(),
  baggage: () => new W3CBaggagePropagator(),
};
const b3Names = ["b3", "b3multi"] as const;

/** The B3 propagators, from an optional package of the service's project; undefined if it is missing. */
async function loadB3(): Promise<Readonly<Record<string, Create>> | undefined> {
  try {
    const { B3InjectEncoding, B3Propagator } = await import("@opentelemetry/propagator-b3");
    return {
      b3: () => new B3Propagator(),
      b3multi: () => new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER }),
    };
  } catch {
    return undefined;
  }
}

/**
 * Loads the propagators of `OTEL_PROPAGATORS`, by default W3C's two. Unknown or missing ones are logged with the
 * reason.
 */
export async function loadPropagator(text: string | undefined): Promise<TextMapPropagator> {
  const names = [...new Set((text ?? "").split(",").flatMap((name) => name.trim().toLowerCase() || []))];
  const b3 = b3Names.some((name) => names.includes(name)) ? await loadB3() : undefined;
  const known: Readonly<Record<string, Create>> = { ...w3c, ...b3 };
  const told = names.includes("none") ? [] : names;
  for (const name of told) {
    if (known[name] !== undefined) continue;
    getLogger("tenon").warn(
      b3Names.some((one) => one === name)
        ? `OTEL_PROPAGATORS: ${JSON.stringify(name)} is ignored, since its package is not part of this service. ` +
            'Install "@opentelemetry/sdk-node" in its project and build again.'
        : `OTEL_PROPAGATORS: ${JSON.stringify(name)} is ignored; known are tracecontext, baggage, b3, b3multi and none.`,
    );
  }
  if (names.length > 0 && !names.includes("tracecontext"))
    getLogger("tenon").warn(
      "OTEL_PROPAGATORS: traceparent goes in and out all the same, since the platform follows jobs by it.",
    );
  if (names.includes("none")) return new CompositePropagator({ propagators: [] });
  const wanted = names.flatMap((name) => known[name]?.() ?? []);
  return new CompositePropagator({
    propagators: wanted.length > 0 ? wanted : Object.values(w3c).map((create) => create()),
  });
}
