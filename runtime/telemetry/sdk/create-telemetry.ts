import type { ExportPlan } from "../export/resolve-export.ts";
import { tenonVersion } from "../../base/version.ts";
import { getLogger } from "../log/logging.ts";
import { authorsExports, authorsSignals } from "../authors-signals.ts";
import { assembleTelemetry, scopeName } from "../spans/assemble.ts";
import { authorsOutlets, flushAuthors } from "../spans/author-telemetry.ts";
import { endPatience, withinEndPatience } from "../spans/end-patience.ts";
import type { Telemetry } from "../telemetry.ts";
import { createSdk, type Sdk } from "./create-sdk.ts";
import { loadGrpcExporters } from "./grpc-exporters.ts";
import { metricsText } from "./prometheus.ts";
import { loadPropagator } from "./propagators.ts";
import { createResource, type Origin } from "./resource.ts";

/**
 * Creates telemetry with the OpenTelemetry SDK; signals for which the author has registered a provider are sent to that
 * provider.
 */
export async function createTelemetry(
  plan: ExportPlan,
  origin: Origin,
  kind: "server" | "consumer",
): Promise<Telemetry> {
  const grpc = await loadGrpcExporters(plan);
  const propagator = await loadPropagator(process.env["OTEL_PROPAGATORS"]);
  const authors = authorsSignals();
  const theirs = authorsOutlets(authors);
  const resource = createResource(origin, plan.serviceName, process.env["OTEL_NODE_RESOURCE_DETECTORS"]);
  const without = authorsExports(authors);
  const sdk = createSdk({ plan, kind, resource, without, grpc, propagator, scope: [scopeName, tenonVersion] });
  return assembleTelemetry({
    kind,
    serviceId: origin.serviceId,
    watchesCalls: plan.instrumentOutbound,
    tracer: theirs.tracer ?? sdk.tracer,
    meter: theirs.meter ?? sdk.meter,
    logs: theirs.logs ?? sdk.logs,
    threads: sdk.threads,
    metricsText: sdk.prometheus && metricsText(sdk.prometheus),
    async close() {
      await withinEndPatience(Promise.all([sdk.close(), flushAuthors(authors)]));
      tellUnsent(plan, sdk);
    },
  });
}

/**
 * Warns about unsent data. Without the warning, a short run could lose all data silently: the exporter's retries take
 * longer than the process lives.
 */
function tellUnsent({ signals }: ExportPlan, { unsent, untold }: Sdk): void {
  if (unsent.size === 0) return;
  const where = new Set([...unsent].map((signal) => new URL(signals[signal]?.url ?? "").origin));
  getLogger("tenon").warn(
    `telemetry: ${[...unsent].join(", ")} of the last seconds did not arrive within ${endPatience / 1000} s, and are lost. ` +
      `Is the collector at ${[...where].join(", ")} up?` +
      (untold > 0 ? ` ${untold} spans and log records before them were lost too.` : ""),
  );
}
