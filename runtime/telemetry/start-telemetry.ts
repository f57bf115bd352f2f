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
 * outbound calls. The SDK is loaded only when it is needed.
 *
 * @throws {StartError} for invalid variables of logging and telemetry
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { config, env = process.env } = options;
  await checkLogFormat(config.logFormat);
  const plan = await planOf(env, config.flags.telemetry);
  if (plan === undefined) return noTelemetry;
  const { getLogger } = await import("./log/logging.ts");
  for (const warning of plan.warnings) getLogger("tenon").warn(warning);
  if (Object.keys(plan.signals).length === 0 && !plan.instrumentOutbound) return noTelemetry;
  const { createTelemetry } = await import("./sdk/create-telemetry.ts");
  const { served, kind } = options;
  const origin = {
    serviceName: plan.serviceName ?? config.serviceName ?? served.service.name,
    serviceVersion: served.version,
    serviceId: config.serviceId,
  };
  return createTelemetry(plan, origin, kind);
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
