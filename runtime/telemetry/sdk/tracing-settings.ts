import type { Sampler } from "@opentelemetry/api";
import { getLogger } from "../log/logging.ts";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type SpanLimits,
} from "./official.ts";

/**
 * Maximum characters of an attribute, unless a variable sets another limit: a collector refuses a batch that is too
 * large.
 */
const longestAttribute = 8192;

const samplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** The sampler of `OTEL_TRACES_SAMPLER`. Default: the caller's decision, and traces that begin here are sampled. */
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

/** Numeric options, with their variables: the first variable that is set counts. */
const numbers = {
  span: {
    attributeCountLimit: ["OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT"],
    attributeValueLengthLimit: ["OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"],
    eventCountLimit: ["OTEL_SPAN_EVENT_COUNT_LIMIT"],
    linkCountLimit: ["OTEL_SPAN_LINK_COUNT_LIMIT"],
    attributePerEventCountLimit: ["OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT"],
    attributePerLinkCountLimit: ["OTEL_LINK_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT"],
  },
  logRecord: {
    attributeCountLimit: ["OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT"],
    attributeValueLengthLimit: ["OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"],
  },
  spanQueue: queueVariables("OTEL_BSP"),
  logRecordQueue: queueVariables("OTEL_BLRP"),
  metrics: { exportTimeoutMillis: ["OTEL_METRIC_EXPORT_TIMEOUT"] },
  prometheus: { port: ["OTEL_EXPORTER_PROMETHEUS_PORT"] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Longest time of a timer of Node in milliseconds; a longer one would end at once. */
const longestTimer = 2 ** 31 - 1;

/** Lowest and highest values of groups in which the SDK or Node fails with others. */
const ranges: { readonly [group in keyof typeof numbers]?: readonly [least: number, most: number] } = {
  spanQueue: [0, longestTimer],
  logRecordQueue: [0, longestTimer],
  metrics: [1, longestTimer],
  prometheus: [1, 65_535],
};

type Numbers<G extends keyof typeof numbers> = { [option in keyof (typeof numbers)[G]]?: number };

function queueVariables(prefix: string): Readonly<Record<QueueOption, readonly [string]>> {
  return {
    maxQueueSize: [`${prefix}_MAX_QUEUE_SIZE`],
    maxExportBatchSize: [`${prefix}_MAX_EXPORT_BATCH_SIZE`],
    scheduledDelayMillis: [`${prefix}_SCHEDULE_DELAY`],
    exportTimeoutMillis: [`${prefix}_EXPORT_TIMEOUT`],
  };
}

type QueueOption = "maxQueueSize" | "maxExportBatchSize" | "scheduledDelayMillis" | "exportTimeoutMillis";

/** The options of a group that variables set; a warning for each variable that is not a number of its range. */
export function numbersOf<G extends keyof typeof numbers>(group: G): Numbers<G> {
  const options: Readonly<Record<string, readonly string[]>> = numbers[group];
  const found = Object.entries(options).map(([option, names]) => [option, first(names, ranges[group])] as const);
  return Object.fromEntries(found.filter(([, number]) => number !== undefined)) as Numbers<G>;
}

function first(names: readonly string[], [least, most]: readonly [number, number] = [0, Infinity]): number | undefined {
  for (const name of names) {
    const text = process.env[name]?.trim() ?? "";
    if (text === "") continue;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    const range = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
    getLogger("tenon").warn(`${name}: ${JSON.stringify(text)} is ignored; it must be a whole number ${range}.`);
  }
  return undefined;
}

/** Limits of spans. */
export function spanLimits(): SpanLimits {
  return { attributeValueLengthLimit: longestAttribute, ...numbersOf("span") };
}

/** Limits of log records. */
export function logRecordLimits(): { attributeCountLimit: number; attributeValueLengthLimit: number } {
  return { attributeCountLimit: 128, attributeValueLengthLimit: longestAttribute, ...numbersOf("logRecord") };
}

/** Limits of a queue in front of an exporter; 0 counts as not set. */
export function queueLimits(group: "spanQueue" | "logRecordQueue"): Numbers<"spanQueue"> {
  return Object.fromEntries(Object.entries(numbersOf(group)).filter(([, limit]) => limit !== 0));
}
