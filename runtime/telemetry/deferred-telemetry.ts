import { getLogger } from "./log/logging.ts";
import type { CallSpan } from "../job/call-span.ts";
import type { Telemetry } from "./telemetry.ts";

const noSpan: CallSpan = { traceparent: undefined, tracestate: undefined, ended: () => {} };

/**
 * Telemetry for who cannot wait for its start, like a call that adds routes to somebody's app. Jobs that come before it
 * is there are not seen. A start that fails is told in the log, since it is too late to end anything.
 */
export function deferTelemetry(starting: Promise<Telemetry>): Telemetry {
  let started: Telemetry | undefined;
  const done = starting.then(
    (telemetry) => {
      started = telemetry;
    },
    (error: unknown) =>
      getLogger("tenon").error(`No telemetry: ${error instanceof Error ? error.message : String(error)}`),
  );
  return {
    jobs: { began: (job) => started?.jobs?.began(job), ended: (job) => started?.jobs?.ended(job) },
    calls: { began: (call) => started?.calls?.began(call) ?? noSpan },
    async close() {
      await done;
      await started?.close();
    },
  };
}
