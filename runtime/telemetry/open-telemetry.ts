import type { Environment } from "../service/config/config.ts";
import { authorsExports, authorsSignals } from "./authors-signals.ts";
import { resolveExport, withoutSignals, type ExportPlan } from "./export/resolve-export.ts";
import { getLogger } from "./log/logging.ts";
import { noTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";

/**
 * Opens telemetry as configured. The SDK is loaded only if something is exported; signals for which the author has
 * registered a provider are sent to that provider.
 */
export async function openTelemetry({ served, config, kind }: TelemetryOptions, env: Environment): Promise<Telemetry> {
  const { serviceId, serviceName = served.service.name, flags } = config;
  const authors = authorsSignals();
  // Nothing is created for the author's signals: it would take the port and the SDK's log from the author's set-up.
  const plan = withoutSignals(resolveExport(env, flags.telemetry), authorsExports(authors));
  for (const warning of plan.warnings) getLogger("tenon").warn(warning);
  // The author's spans and tenon's form one trace, so outbound requests get spans too.
  const instrumentOutbound = flags.telemetry ?? (plan.instrumentOutbound || authors.has("trace"));
  if (exportsAny(plan) || (plan.instrumentOutbound && !authors.has("trace"))) {
    const { createTelemetry } = await import("./sdk/create-telemetry.ts");
    const origin = { serviceName, serviceVersion: served.version, serviceId };
    return createTelemetry({ ...plan, instrumentOutbound }, origin, kind);
  }
  if (authors.size === 0) return noTelemetry;
  const { authorTelemetry } = await import("./spans/author-telemetry.ts");
  return authorTelemetry(authors, { kind, serviceId, watchesCalls: instrumentOutbound });
}

function exportsAny({ signals, consoles, prometheus }: ExportPlan): boolean {
  return Object.keys(signals).length > 0 || consoles.length > 0 || prometheus;
}
