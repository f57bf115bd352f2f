import { tenonVersion } from "../../base/version.ts";
import { scopeName } from "../spans/assemble.ts";
import { gaugeAdder } from "../spans/gauge-adder.ts";
import { addQueueGauges, type GaugedQueue } from "../spans/queue-gauges.ts";
import { defaultResource, MeterProvider, PrometheusExporter, resourceFromAttributes } from "./official.ts";
import { metricsText } from "./prometheus.ts";

/**
 * Creates the function that reads the gauges of queues as Prometheus' text, for a process without telemetry of its own.
 * @param name `service.name` of the process
 */
export function queueMetrics(name: string, read: () => Promise<readonly GaugedQueue[]>): () => Promise<string> {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const resource = defaultResource().merge(
    resourceFromAttributes({ "service.name": name, "service.version": tenonVersion }),
  );
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter(scopeName, tenonVersion);
  addQueueGauges(gaugeAdder(meter), read);
  return metricsText(reader);
}
