import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { currentJob } from "../../job/current-job.ts";
import { fail } from "./run-job.ts";
import { RunningJob } from "../running/running-job.ts";

/**
 * Catches what nobody caught: a rejection that nobody awaits, a throw in a timer or an emitter. It is logged with the job
 * that it came from and does not end the process; a throw also ends its job, which would wait for ever. A throw that came
 * from no job leaves the process in a state that nobody knows: `onUnknown` then. Returns the removal of the handlers.
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
    } else if (job instanceof RunningJob && job.ending === undefined) fail(job, thrown);
    else logger.error({ error: describeThrown(thrown) }, "uncaught exception after the job had ended");
  };
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return () => {
    process.off("unhandledRejection", onRejection);
    process.off("uncaughtException", onException);
  };
}
