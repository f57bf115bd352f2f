import { resourceFromAttributes } from "@opentelemetry/resources";
import { AggregationTemporality } from "@opentelemetry/sdk-metrics";
import type { MetricData } from "@opentelemetry/sdk-metrics";
import { expect, it } from "vitest";
import { createOwnMetrics } from "../../../../../runtime/telemetry/sdk/own-metrics.ts";
import type { OwnMetrics } from "../../../../../runtime/telemetry/sdk/own-metrics.ts";

function metricsWith(temporality: AggregationTemporality): OwnMetrics {
  const scope = { name: "tenon", version: "1" };
  return createOwnMetrics({ resource: resourceFromAttributes({}), scope, temporality: () => temporality });
}

async function pointsOf(metrics: OwnMetrics): Promise<readonly MetricData["dataPoints"][]> {
  const { resourceMetrics } = await metrics.collect();
  return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics.map(({ dataPoints }) => dataPoints));
}

const names = { name: "n", unit: "1", description: "d" };

it("a value on a boundary belongs to the bucket below it", async () => {
  const metrics = metricsWith(AggregationTemporality.CUMULATIVE);
  const series = metrics.histogram(names, [1, 2]).series({ tool: "t" });
  for (const value of [1, 1.5, 2, 3]) series.record(value);
  const [points] = await pointsOf(metrics);
  expect(points).toMatchObject([
    { attributes: { tool: "t" }, value: { buckets: { counts: [1, 2, 1] }, count: 4, sum: 7.5, min: 1, max: 3 } },
  ]);
});

it("cumulative values go on, deltas begin anew", async () => {
  for (const [temporality, expected] of [
    [AggregationTemporality.CUMULATIVE, [2, 5]],
    [AggregationTemporality.DELTA, [2, 3]],
  ] as const) {
    const metrics = metricsWith(temporality);
    const series = metrics.counter(names).series({});
    series.record(2);
    const [first] = await pointsOf(metrics);
    series.record(3);
    const [second] = await pointsOf(metrics);
    expect([first?.[0]?.value, second?.[0]?.value]).toEqual(expected);
  }
});

it("nothing is exported before something is counted, and too many sets of attributes are counted together", async () => {
  const metrics = metricsWith(AggregationTemporality.CUMULATIVE);
  const counter = metrics.counter(names);
  expect(await pointsOf(metrics)).toEqual([]);
  for (let index = 0; index < 2100; index++) counter.series({ tool: String(index) }).record(1);
  counter.series({ tool: "0" }).record(1);
  const [points = []] = await pointsOf(metrics);
  expect([points.length, points[0]?.value, points.at(-1)]).toMatchObject([
    2001,
    2,
    { attributes: { "otel.metric.overflow": true }, value: 100 },
  ]);
});
