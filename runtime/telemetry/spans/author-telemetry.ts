import { logs, metrics, trace, type LoggerProvider, type Meter, type Tracer } from "@opentelemetry/api";
import { tenonVersion } from "../../base/version.ts";
import type { ApiSignal } from "../authors-signals.ts";
import type { Telemetry } from "../telemetry.ts";
import { assembleTelemetry, scopeName } from "./assemble.ts";
import { withinEndPatience } from "./end-patience.ts";

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

/** Methods of the SDK's providers that the API's types do not have; the API's own proxy providers hide them. */
interface Flushable {
  getDelegate?(): Flushable;
  forceFlush?(): Promise<void>;
}

/** Waits until the author's providers have sent their data, since the process may end afterwards. Never rejects. */
export async function flushAuthors(signals: ReadonlySet<ApiSignal>): Promise<void> {
  const providers: readonly unknown[] = [
    ...(signals.has("trace") ? [trace.getTracerProvider()] : []),
    ...(signals.has("metrics") ? [metrics.getMeterProvider()] : []),
    ...(signals.has("logs") ? [logs.getLoggerProvider()] : []),
  ];
  await Promise.allSettled(
    providers.map(async (provider) => {
      const given = provider as Flushable;
      await (given.getDelegate?.() ?? given).forceFlush?.();
    }),
  );
}

/** Telemetry that goes only to providers of the author, who also shuts them down. */
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
    close: () => withinEndPatience(flushAuthors(signals)),
  });
}
