import { diag, DiagLogLevel } from "@opentelemetry/api";
import type { DiagLogger } from "@opentelemetry/api";
import { getLogger } from "../log/logging.ts";
import type { ExportWatch } from "./export-watch.ts";

const levels: Readonly<Record<string, DiagLogLevel>> = {
  none: DiagLogLevel.NONE,
  error: DiagLogLevel.ERROR,
  warn: DiagLogLevel.WARN,
  info: DiagLogLevel.INFO,
  debug: DiagLogLevel.DEBUG,
  verbose: DiagLogLevel.VERBOSE,
  all: DiagLogLevel.ALL,
};

/**
 * Takes what the SDK says of itself: spans that it drops are counted with those that do not arrive, and the rest goes to
 * our log if `OTEL_LOG_LEVEL` asks for it. Default: none of it, since failed exports are told once and in one form.
 */
export function listenToSdk(wanted: string | undefined, spans: ExportWatch | undefined): void {
  const level = levels[wanted?.toLowerCase() ?? ""];
  const logger = getLogger("opentelemetry");
  const tell =
    (log: (message: string) => void) =>
    (message: string): void => {
      if (level !== undefined) log(message);
    };
  const warn = tell(logger.warn);
  const target: DiagLogger = {
    error: tell(logger.error),
    warn(message) {
      const dropped = /^Dropped (\d+) spans because/.exec(message)?.[1];
      if (dropped === undefined || spans === undefined) warn(message);
      else spans.dropped(Number(dropped));
    },
    info: tell(logger.info),
    debug: tell(logger.debug),
    verbose: tell(logger.debug),
  };
  diag.setLogger(target, {
    logLevel: Math.max(level ?? DiagLogLevel.NONE, DiagLogLevel.WARN),
    suppressOverrideMessage: true,
  });
}
