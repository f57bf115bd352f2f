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
 * Takes what the SDK says of itself: spans that it drops are counted with those that do not arrive, and the rest goes
 * to our log if `OTEL_LOG_LEVEL` asks for it. Default: warnings about variables, which it gives while exporters are
 * made, and nothing after that, since failed exports are reported once and in one form. Returns the function that ends
 * the beginning.
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

/** The SDK's words: the name of the part that speaks, its message, and errors. Not its data, which is what is sent. */
function textOf(words: readonly unknown[]): string {
  return words
    .flatMap((word) => (typeof word === "string" ? word : word instanceof Error ? word.message : []))
    .join(": ");
}
