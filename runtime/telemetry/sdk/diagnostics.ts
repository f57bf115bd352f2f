import { diag, DiagLogLevel, type DiagLogger } from "@opentelemetry/api";
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
 * Listens to the SDK's own log: spans that it drops are counted as lost, and other messages go to tenon's log if
 * `OTEL_LOG_LEVEL` says so. Default: only warnings about variables, which the SDK gives while exporters are made; later
 * messages are ignored, since tenon reports failed exports itself, once. Returns a function to call when the exporters
 * are made.
 */
export function listenToSdk(wanted: string | undefined, spans: () => ExportWatch | undefined): () => void {
  const name = wanted?.trim().toLowerCase() ?? "";
  const level = levels[name];
  if (level === undefined && name !== "")
    getLogger("tenon").warn(
      `OTEL_LOG_LEVEL: ${JSON.stringify(wanted)} is ignored; known are ${Object.keys(levels).join(", ")}.`,
    );
  let isStarting = true;
  const logger = getLogger("opentelemetry");
  const tell =
    (log: (message: string) => void, always = false) =>
    (...words: readonly unknown[]): void => {
      if (level !== undefined || (always && isStarting)) log(textOf(words));
    };
  const warn = tell(logger.warn, true);
  const target: DiagLogger = {
    error: tell(logger.error, true),
    warn(...words) {
      const dropped = /^Dropped (\d+) spans because/.exec(words[0])?.[1];
      const watch = spans();
      if (dropped === undefined || watch === undefined) warn(...words);
      else watch.dropped(Number(dropped));
    },
    info: tell(logger.info),
    debug: tell(logger.debug),
    verbose: tell(logger.debug),
  };
  diag.setLogger(target, {
    logLevel: Math.max(level ?? DiagLogLevel.NONE, DiagLogLevel.WARN),
    suppressOverrideMessage: true,
  });
  return () => {
    isStarting = false;
  };
}

/**
 * Formats a message of the SDK: the name of the component, its message, and errors. Further data is left out, since it
 * is the exported data.
 */
function textOf(words: readonly unknown[]): string {
  return words
    .flatMap((word) => (typeof word === "string" ? word : word instanceof Error ? word.message : []))
    .join(": ");
}
