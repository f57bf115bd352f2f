import { installStrayErrorHandlers } from "../executor/run/stray-errors.ts";
import { getLogger } from "../telemetry/log/logging.ts";

const signals = { SIGTERM: 15, SIGINT: 2 } as const;

export interface ShutdownOptions {
  /** Stops everything in order; must not take longer than the grace it was given. */
  readonly stop: () => Promise<void>;
  /** Ends the process; for tests. */
  readonly exit?: (code: number) => void;
}

/** Stops the process in order at SIGTERM or SIGINT; a second signal ends it at once. Returns the removal of the handlers. */
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

/** Lets signals and errors that nobody caught end the process by `stop`. Returns the removal of the handlers. */
export function endProcessBy(stop: () => Promise<void>): () => void {
  const removeStray = installStrayErrorHandlers(() => void stop().finally(() => process.exit(1)));
  const removeSignals = installShutdown({ stop });
  return () => {
    removeStray();
    removeSignals();
  };
}
