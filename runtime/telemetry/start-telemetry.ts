import type { Config, Environment } from "../service/config/config.ts";
import type { Served } from "../service/served.ts";
import { StartError } from "../base/start-error.ts";
import type { ExportPlan } from "./export/resolve-export.ts";
import { noTelemetry, type Telemetry } from "./telemetry.ts";

export interface TelemetryOptions {
  readonly served: Pick<Served, "service" | "version">;
  readonly config: Pick<Config, "flags" | "logFormat" | "serviceId" | "serviceName">;
  /** `server`: jobs are requested from it. `consumer`: it fetches jobs. */
  readonly kind: "server" | "consumer";
  readonly env?: Environment;
}

export type { Telemetry } from "./telemetry.ts";

/**
 * Starts telemetry as configured by environment and flags: export of traces, metrics and logs, spans of jobs, steps and
 * outbound calls. The SDK is loaded only when it is needed; an author's own set-up gets what it has providers for.
 *
 * @throws {StartError} for invalid variables of logging and telemetry
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { config, env = process.env } = options;
  await checkLogFormat(config.logFormat);
  const { served, kind } = options;
  const { serviceId } = config;
  const plan = await planOf(env, config.flags.telemetry);
  // An author's own set-up leaves its providers there; most services have neither.
  if (plan === undefined && !(Symbol.for("opentelemetry.js.api.1") in globalThis)) return noTelemetry;
  const { authorsSignals } = await import("./authors-signals.ts");
  const authors = authorsSignals();
  if (plan !== undefined) {
    const { getLogger } = await import("./log/logging.ts");
    for (const warning of plan.warnings) getLogger("tenon").warn(warning);
  }
  if (plan !== undefined && exportsAny(plan)) {
    const { createTelemetry } = await import("./sdk/create-telemetry.ts");
    const { loadGrpcExporters } = await import("./sdk/grpc-exporters.ts");
    const serviceName = config.serviceName ?? served.service.name;
    const origin = { serviceName, serviceVersion: served.version, serviceId };
    // The author's spans and ours are one trace, so the requests in between belong to it.
    const instrumentOutbound = config.flags.telemetry ?? (plan.instrumentOutbound || authors.has("trace"));
    return createTelemetry({ ...plan, instrumentOutbound }, origin, kind, await loadGrpcExporters(plan));
  }
  if (authors.size === 0) return noTelemetry;
  const { authorTelemetry } = await import("./spans/author-telemetry.ts");
  return authorTelemetry(authors, { kind, serviceId, watchesCalls: config.flags.telemetry ?? true });
}

function exportsAny({ signals, consoles, prometheus, instrumentOutbound }: ExportPlan): boolean {
  return Object.keys(signals).length > 0 || consoles.length > 0 || prometheus || instrumentOutbound;
}

async function checkLogFormat(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const { parsePercentFormat } = await import("./log/percent-format.ts");
  try {
    parsePercentFormat(text);
  } catch (error) {
    throw new StartError(
      `PLATFORM_LOG_FORMAT is not usable: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Most services set none of the variables, so not even the rules are loaded. */
async function planOf(env: Environment, flag: boolean | undefined): Promise<ExportPlan | undefined> {
  const isSet = (name: string): boolean => /^(?:OTEL|OBSERVER)_/.test(name) && env[name] !== "";
  if (flag !== true && !Object.keys(env).some(isSet)) return undefined;
  const { resolveExport } = await import("./export/resolve-export.ts");
  return resolveExport(env, flag);
}
