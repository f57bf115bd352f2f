import type { Signal } from "../export/find-endpoint.ts";
import type { ExportPlan } from "../export/resolve-export.ts";
import { tenonVersion } from "../../base/version.ts";
import { getLogger } from "../log/logging.ts";
import { authorsSignals } from "../authors-signals.ts";
import type { ApiSignal } from "../authors-signals.ts";
import { assembleTelemetry, scopeName } from "../spans/assemble.ts";
import { authorsOutlets } from "../spans/author-telemetry.ts";
import type { Telemetry } from "../telemetry.ts";
import { createSdk } from "./create-sdk.ts";
import type { Sdk } from "./create-sdk.ts";
import type { GrpcExporters } from "./grpc-exporters.ts";
import { metricsText } from "./prometheus.ts";
import { createResource } from "./resource.ts";
import type { Origin } from "./resource.ts";

/** Maximum milliseconds that telemetry may delay the end of the process. */
const patience = 2000;

const names: Readonly<Record<ApiSignal, Signal>> = { trace: "traces", metrics: "metrics", logs: "logs" };

/** Telemetry by the OpenTelemetry SDK, as planned; a signal for which the author has a provider goes there. */
export function createTelemetry(
  plan: ExportPlan,
  origin: Origin,
  kind: "server" | "consumer",
  grpc?: GrpcExporters,
): Telemetry {
  const authors = authorsSignals();
  const theirs = authorsOutlets(authors);
  const resource = createResource(origin, plan.serviceName, process.env["OTEL_NODE_RESOURCE_DETECTORS"]);
  const without = new Set([...authors].map((signal) => names[signal]));
  const sdk = createSdk({ plan, kind, resource, without, grpc, scope: [scopeName, tenonVersion] });
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
      await atMost(patience, sdk.close());
      tellUnsent(plan, sdk);
    },
  });
}

/**
 * Warns about unsent data. Without it a short run would lose everything silently, since the exporter retries for
 * longer.
 */
function tellUnsent({ signals }: ExportPlan, { unsent }: Sdk): void {
  if (unsent.size === 0) return;
  const where = new Set([...unsent].map((signal) => new URL(signals[signal]?.url ?? "").origin));
  getLogger("tenon").warn(
    `telemetry: ${[...unsent].join(", ")} of the last seconds did not arrive within ${patience / 1000} s, and are lost. ` +
      `Is the collector at ${[...where].join(", ")} up?`,
  );
}

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
