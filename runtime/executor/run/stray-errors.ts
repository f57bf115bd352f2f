import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { currentJob } from "../../job/current-job.ts";
import { endFailed } from "./run-job.ts";
import { RunningJob } from "../running/running-job.ts";

/**
 * Handles uncaught errors: a rejection that nobody awaits, an exception in a timer or an emitter. Each error is logged
 * with its job and does not end the process. An exception also ends its job, which would otherwise wait for ever. The
 * job is not tried again, since the rest of its code still runs. After an exception outside of jobs the state of the
 * process is unknown, so `onUnknown` is called. Returns a function that removes the handlers.
 */
export function installStrayErrorHandlers(onUnknown: (error: unknown) => void): () => void {
  const logger = getLogger("tenon");
  const onRejection = (reason: unknown): void => {
    logger.error({ error: describeThrown(reason) }, "unhandled rejection");
  };
  const onException = (thrown: unknown): void => {
    const job = currentJob.getStore();
    if (job === undefined) {
      logger.fatal({ error: describeThrown(thrown) }, "uncaught exception outside of every job");
      onUnknown(thrown);
    } else if (job instanceof RunningJob && job.ending === undefined && !job.awaitsRetry) endFailed(job, thrown);
    else logger.error({ error: describeThrown(thrown) }, "uncaught exception after the job had ended");
  };
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return () => {
    process.off("unhandledRejection", onRejection);
    process.off("uncaughtException", onException);
  };
}
