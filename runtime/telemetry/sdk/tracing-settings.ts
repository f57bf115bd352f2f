import type { Sampler } from "@opentelemetry/api";
import { getLogger } from "../log/logging.ts";
import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } from "./official.ts";
import type { SpanLimits } from "./official.ts";

/** Characters of an attribute, unless a variable says otherwise: a collector refuses a batch that is too large. */
export const longestAttribute = 8192;

const samplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** The sampler of `OTEL_TRACES_SAMPLER`. Default: the caller decides, and a trace that begins here is kept. */
export function samplerOf(name: string | undefined, ratioText: string | undefined): Sampler {
  const ratio = ratioText === undefined || ratioText.trim() === "" ? 1 : Number(ratioText);
  const make = name === undefined || name === "" ? samplers["parentbased_always_on"] : samplers[name];
  if (make !== undefined && ratio >= 0 && ratio <= 1) return make(ratio);
  getLogger("tenon").warn(
    make === undefined
      ? `OTEL_TRACES_SAMPLER: ${JSON.stringify(name)} is ignored; known are ${Object.keys(samplers).join(", ")}.`
      : `OTEL_TRACES_SAMPLER_ARG: ${JSON.stringify(ratioText)} is ignored; it must be a number from 0 to 1.`,
  );
  return make?.(1) ?? new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

/** Limits of spans, from the standard variables. */
export function spanLimits(): SpanLimits {
  const limits = {
    attributeCountLimit: first("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT"),
    attributeValueLengthLimit:
      first("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? longestAttribute,
    eventCountLimit: first("OTEL_SPAN_EVENT_COUNT_LIMIT"),
    linkCountLimit: first("OTEL_SPAN_LINK_COUNT_LIMIT"),
    attributePerEventCountLimit: first("OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT"),
    attributePerLinkCountLimit: first("OTEL_LINK_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT"),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** The first of these variables that is a number; a warning for one that is set to something else. */
export function first(...names: readonly string[]): number | undefined {
  for (const name of names) {
    const text = process.env[name]?.trim() ?? "";
    if (text === "") continue;
    const value = Number(text);
    if (value >= 0 && value < Number.POSITIVE_INFINITY) return value;
    getLogger("tenon").warn(`${name}: ${JSON.stringify(text)} is ignored; it must be a number from 0.`);
  }
  return undefined;
}

/** Limits of a queue in front of an exporter, by the prefix of their variables. */
export function queueLimits(prefix: "OTEL_BSP" | "OTEL_BLRP"): Readonly<Record<string, number>> {
  const limits = {
    maxQueueSize: first(`${prefix}_MAX_QUEUE_SIZE`),
    maxExportBatchSize: first(`${prefix}_MAX_EXPORT_BATCH_SIZE`),
    scheduledDelayMillis: first(`${prefix}_SCHEDULE_DELAY`),
    exportTimeoutMillis: first(`${prefix}_EXPORT_TIMEOUT`),
  };
  return Object.fromEntries(Object.entries(limits).flatMap(([name, limit]) => (limit ? [[name, limit]] : [])));
}
