import { logs, metrics, trace } from "@opentelemetry/api";
import type { LoggerProvider, Meter, Tracer } from "@opentelemetry/api";
import { tenonVersion } from "../../base/version.ts";
import type { ApiSignal } from "../authors-signals.ts";
import type { Telemetry } from "../telemetry.ts";
import { assembleTelemetry, scopeName } from "./assemble.ts";

/** The providers of an author's own set-up, for the signals that it has. */
export interface AuthorsOutlets {
  readonly tracer: Tracer | undefined;
  readonly meter: Meter | undefined;
  readonly logs: LoggerProvider | undefined;
}

export function authorsOutlets(signals: ReadonlySet<ApiSignal>): AuthorsOutlets {
  return {
    tracer: signals.has("trace") ? trace.getTracer(scopeName, tenonVersion) : undefined,
    meter: signals.has("metrics") ? metrics.getMeter(scopeName, tenonVersion) : undefined,
    logs: signals.has("logs") ? logs.getLoggerProvider() : undefined,
  };
}

/** Telemetry that goes to the author's own set-up alone, which the author also ends. */
export function authorTelemetry(
  signals: ReadonlySet<ApiSignal>,
  options: {
    readonly kind: "server" | "consumer";
    readonly serviceId: string | undefined;
    readonly watchesCalls: boolean;
  },
): Telemetry {
  return assembleTelemetry({
    ...options,
    ...authorsOutlets(signals),
    threads: undefined,
    metricsText: undefined,
    close: async () => {},
  });
}
