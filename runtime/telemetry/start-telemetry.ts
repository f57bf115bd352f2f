import { StartError } from "../base/start-error.ts";
import { noTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";

export type { Telemetry } from "./telemetry.ts";

/**
 * Starts telemetry as configured by environment and flags: export of traces, metrics and logs, spans of jobs, steps and
 * outbound calls. Most services set none of the variables; then no further code is loaded.
 *
 * @throws {StartError} for invalid variables of logging and telemetry
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { config, env = process.env } = options;
  await checkLogFormat(config.logFormat);
  const isSet = (name: string): boolean => /^(?:OTEL_|OBSERVER_|TENON_METRICS$)/.test(name) && env[name] !== "";
  const isAsked = config.flags.telemetry === true || Object.keys(env).some(isSet);
  // Key under which providers of an author's own set-up are registered.
  if (!isAsked && !(Symbol.for("opentelemetry.js.api.1") in globalThis)) return noTelemetry;
  return (await import("./open-telemetry.ts")).openTelemetry(options, env);
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
