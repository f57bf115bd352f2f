import { installStrayErrorHandlers } from "../../executor/run/stray-errors.ts";
import { getLogger } from "../../telemetry/log/logging.ts";

const signals = { SIGTERM: 15, SIGINT: 2 } as const;

export interface ShutdownOptions {
  /** Shuts everything down in order, within its grace period. */
  readonly stop: () => Promise<void>;
  /** Ends the process; replaceable in tests. */
  readonly exit?: (code: number) => void;
}

/**
 * Shuts down in order at SIGTERM or SIGINT; a second signal ends the process at once. Returns a function that removes
 * the handlers.
 */
export function installShutdown({ stop, exit = (code) => process.exit(code) }: ShutdownOptions): () => void {
  let stopping = false;
  const onSignal = (signal: keyof typeof signals): void => {
    if (stopping) {
      exit(128 + signals[signal]);
      return;
    }
    stopping = true;
    getLogger("tenon").info({ signal }, "stopping");
    stop().then(
      () => exit(0),
      () => exit(1),
    );
  };
  for (const signal of Object.keys(signals)) process.on(signal, onSignal);
  return () => {
    for (const signal of Object.keys(signals)) process.off(signal, onSignal);
  };
}

/** Ends the process by `stop` after signals and uncaught errors. Returns a function that removes the handlers. */
export function endProcessBy(stop: () => Promise<void>): () => void {
  const removeStray = installStrayErrorHandlers(() => {
    // `stop` may let the start call exit first, which then uses this code.
    process.exitCode = 1;
    void stop().finally(() => process.exit(1));
  });
  const removeSignals = installShutdown({ stop });
  return () => {
    removeStray();
    removeSignals();
  };
}
