import { ValueType } from "@opentelemetry/api";
import type { HrTime } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { AggregationTemporality, DataPointType, InstrumentType } from "@opentelemetry/sdk-metrics";
import type { CollectionResult, DataPoint, MetricData, MetricProducer } from "@opentelemetry/sdk-metrics";

export type MetricAttributes = Readonly<Record<string, string | boolean>>;

/** Name and texts of a metric. */
export interface MetricNames {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
}

/** The value of one set of attributes. Callers keep it, so that nothing is looked up or created per count. */
export interface Series {
  /** Adds to a counter, or records one value of a histogram. */
  record(value: number): void;
}

/** A counter or a histogram. */
export interface Instrument {
  /** Returns the same series for the same attributes, in the same order. */
  series(attributes: MetricAttributes): Series;
}

/** Adds up values; the exporter's reader collects them at its interval. */
export interface OwnMetrics extends MetricProducer {
  counter(names: MetricNames): Instrument;
  /** `boundaries`: inclusive upper bounds of the buckets. */
  histogram(names: MetricNames, boundaries: readonly number[]): Instrument;
}

export interface OwnMetricsOptions {
  readonly resource: Resource;
  readonly scope: { readonly name: string; readonly version: string };
  readonly temporality: (type: InstrumentType) => AggregationTemporality;
}

/** As in the SDK: further series are counted together. */
const maxSeries = 2000;
const overflow: MetricAttributes = { "otel.metric.overflow": true };

type Numbers = Pick<MetricData, "dataPointType"> & { readonly isMonotonic?: true };
type Take = (endTime: HrTime, isDelta: boolean) => DataPoint<unknown>;

/** Counters and histograms without the overhead that an SDK instrument has per measurement. */
export function createOwnMetrics({ resource, scope, temporality }: OwnMetricsOptions): OwnMetrics {
  const reads: ((endTime: HrTime) => MetricData | undefined)[] = [];
  const instrument = (
    names: MetricNames,
    { type, numbers }: { readonly type: InstrumentType; readonly numbers: Numbers },
    makeSeries: (attributes: MetricAttributes) => { readonly series: Series; readonly take: Take },
  ): Instrument => {
    const all = new Map<string, ReturnType<typeof makeSeries>>();
    const aggregationTemporality = temporality(type);
    const isDelta = aggregationTemporality === AggregationTemporality.DELTA;
    reads.push((endTime) => {
      if (all.size === 0) return undefined;
      const dataPoints = [...all.values()].map(({ take }) => take(endTime, isDelta));
      const descriptor = { ...names, valueType: ValueType.DOUBLE };
      return { descriptor, aggregationTemporality, dataPoints, ...numbers } as MetricData;
    });
    return {
      series(attributes) {
        const known = all.size < maxSeries ? attributes : overflow;
        const key = JSON.stringify(attributes);
        const found = all.get(key) ?? all.get(JSON.stringify(known));
        if (found !== undefined) return found.series;
        const made = makeSeries(known);
        all.set(JSON.stringify(known), made);
        return made.series;
      },
    };
  };
  return {
    counter: (names) =>
      instrument(
        names,
        { type: InstrumentType.COUNTER, numbers: { dataPointType: DataPointType.SUM, isMonotonic: true } },
        counterSeries,
      ),
    histogram: (names, boundaries) =>
      instrument(
        names,
        { type: InstrumentType.HISTOGRAM, numbers: { dataPointType: DataPointType.HISTOGRAM } },
        (attributes) => histogramSeries(attributes, boundaries),
      ),
    collect(): Promise<CollectionResult> {
      const endTime = timeNow();
      const metrics = reads.flatMap((read) => read(endTime) ?? []);
      const scopeMetrics = metrics.length === 0 ? [] : [{ scope, metrics }];
      return Promise.resolve({ resourceMetrics: { resource, scopeMetrics }, errors: [] });
    },
  };
}

function counterSeries(attributes: MetricAttributes): { readonly series: Series; readonly take: Take } {
  let total = 0;
  let startTime = timeNow();
  return {
    series: {
      record(value) {
        total += value;
      },
    },
    take(endTime, isDelta) {
      const point = { startTime, endTime, attributes, value: total };
      if (isDelta) [total, startTime] = [0, endTime];
      return point;
    },
  };
}

function histogramSeries(
  attributes: MetricAttributes,
  boundaries: readonly number[],
): { readonly series: Series; readonly take: Take } {
  const empty = () => ({
    buckets: { boundaries: [...boundaries], counts: Array.from({ length: boundaries.length + 1 }, () => 0) },
    sum: 0,
    count: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  });
  let held = empty();
  let startTime = timeNow();
  return {
    series: {
      record(value) {
        let bucket = 0;
        while (bucket < boundaries.length && value > (boundaries[bucket] ?? 0)) bucket++;
        const { counts } = held.buckets;
        counts[bucket] = (counts[bucket] ?? 0) + 1;
        held.sum += value;
        held.count++;
        if (value < held.min) held.min = value;
        if (value > held.max) held.max = value;
      },
    },
    take(endTime, isDelta) {
      const { buckets, ...sums } = held;
      const value = { ...sums, buckets: { ...buckets, counts: [...buckets.counts] } };
      const point = { startTime, endTime, attributes, value };
      if (isDelta) [held, startTime] = [empty(), endTime];
      return point;
    },
  };
}

function timeNow(): HrTime {
  const now = Date.now();
  return [Math.floor(now / 1000), (now % 1000) * 1e6];
}
