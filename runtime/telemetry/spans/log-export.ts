import {
  ROOT_CONTEXT,
  SeverityNumber,
  trace,
  TraceFlags,
  type LoggerProvider,
  type LogRecord as OtelRecord,
} from "@opentelemetry/api";
import type { LogLevel, LogRecord, LogTarget } from "../log/log-record.ts";

const severities: Readonly<Record<LogLevel, SeverityNumber>> = {
  DEBUG: SeverityNumber.DEBUG,
  INFO: SeverityNumber.INFO,
  WARNING: SeverityNumber.WARN,
  ERROR: SeverityNumber.ERROR,
  CRITICAL: SeverityNumber.FATAL,
};

/** Passes log records to a provider. */
export function exportLogs(provider: LoggerProvider): LogTarget {
  return (record) => {
    const { time, level, name, message, fields } = record;
    const { trace_id: traceId, span_id: spanId, error, ...rest } = fields;
    const active = trace.getActiveSpan()?.spanContext();
    const traceFlags = active !== undefined && active.traceId === traceId ? active.traceFlags : TraceFlags.SAMPLED;
    provider.getLogger(name).emit({
      timestamp: time,
      severityNumber: severities[level],
      severityText: level,
      body: message,
      attributes: { ...rest, ...exceptionAttributes(error) } as NonNullable<OtelRecord["attributes"]>,
      context:
        typeof traceId === "string" && typeof spanId === "string"
          ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags })
          : ROOT_CONTEXT,
    });
  };
}

function exceptionAttributes(error: LogRecord["fields"][string]): Readonly<Record<string, unknown>> {
  if (error === undefined) return {};
  if (typeof error !== "object" || error === null || !("message" in error)) return { error };
  const { type, message, stack, ...more } = error as LogRecord["fields"];
  return {
    "exception.type": type,
    "exception.message": message,
    ...(stack !== undefined && { "exception.stacktrace": stack }),
    // Adds causes, code, and the errors of an AggregateError.
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`exception.${name}`, value])),
  };
}
