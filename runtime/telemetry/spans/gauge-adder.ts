import type { Meter } from "@opentelemetry/api";
import type { Telemetry } from "../telemetry.ts";

/** A function that adds gauges to a meter. */
export function gaugeAdder(meter: Meter): NonNullable<Telemetry["addGauge"]> {
  return ({ name, unit, description }, read) => {
    meter.createObservableGauge(name, { unit, description }).addCallback(async (result) => {
      for (const { value, attributes } of await read()) result.observe(value, attributes);
    });
  };
}
