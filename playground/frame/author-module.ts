/** The exports of `tenon` for tools in the playground. A service does not start there. */
export { ValueError } from "../../runtime/base/errors.ts";
export { BaseEvent, GenericErrorEvent, GenericEvent } from "../../runtime/job/event.ts";
export { EventContext, EventReporter } from "../../runtime/job/reporter.ts";
export {
  FinalError,
  RetryAfterError,
  StaleError,
  StepError,
  StepInterruptedError,
  WaitTimeoutError,
} from "../../runtime/job/steps/step-errors.ts";
export { BinaryResult } from "../../runtime/job/binary-result.ts";
export { Content, Message } from "../../runtime/job/content.ts";
export { getEventReporter, getJobContext, getJobId, JobContext } from "../../runtime/executor/run/job-context.ts";
export { Service, ServiceContact, ServiceLicense } from "../../runtime/service/service.ts";
export { platformLambda } from "../../runtime/service/tools/platform-lambda.ts";
export { withSchema } from "../../runtime/service/tools/with-schema.ts";
export { getLogger, loggingInit } from "../../runtime/telemetry/log/logging.ts";

/** Resolves at once. */
async function start(): Promise<void> {}

export { start as runMcpStdio, start as startBatchService, start as startLambdaServer };
