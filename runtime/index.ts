/** The public API: the exports of `tenon` for authors of tools and services. */
export { startBatchService, type BatchServiceOptions } from "./start/start-batch-service.ts";
export type { Worker } from "./start/parts/choose-worker.ts";
export { ValueError } from "./base/errors.ts";
export { BaseEvent, GenericErrorEvent, GenericEvent, type EventOptions } from "./job/event.ts";
export { EventContext, EventReporter, type StepOptions } from "./job/reporter.ts";
export { DeclinedError, type AskOptions } from "./executor/run/ask.ts";
export {
  FinalError,
  RetryAfterError,
  StaleError,
  StepError,
  StepInterruptedError,
  WaitTimeoutError,
} from "./job/steps/step-errors.ts";
export type { KeptStepOptions, StepAttempt } from "./executor/run/steps.ts";
export type { Duration } from "./executor/run/time-of.ts";
export type { MessageOptions, SleepOptions } from "./executor/run/waits.ts";
export { BinaryResult, type BinaryContent } from "./job/binary-result.ts";
export { Content, Message, type ContentOptions, type LinkOptions } from "./job/content.ts";
export { getEventReporter, getJobContext, getJobId, JobContext } from "./executor/run/job-context.ts";
export type { JobCaller, JobUrn } from "./job/job.ts";
export { DEFAULT_LLM_MODEL } from "./outside/llm/default-model.ts";
export { LlmConfigurationError, LlmPackageError } from "./outside/llm/llm-errors.ts";
export type { LlmClient, LlmOptions } from "./outside/llm/openai-types.ts";
export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from "./start/create-fetch-handler.ts";
export { registerMcp, type AppWithRoutes, type RegisteredMcp, type RouteContext } from "./start/register-mcp.ts";
export { MissingCapabilityError, type ClientCapability, type ClientMethod } from "./job/question.ts";
export { platformLambda } from "./service/tools/platform-lambda.ts";
export type { Artifact, ArtifactInfo, LocalFile, LocalFileOptions } from "./outside/platform/artifacts/artifact.ts";
export type { ArtifactUrn } from "./outside/platform/artifacts/artifact-urn.ts";
export type { Aspect, AspectFilter, AspectOptions, AspectRecord } from "./outside/platform/aspects.ts";
export type { PlatformClient } from "./outside/platform/platform-client.ts";
export {
  AmbiguousRequestError,
  ArtifactIntegrityError,
  NotAuthorizedError,
  PlatformError,
  ResourceNotFoundError,
  ServiceJobError,
} from "./outside/platform/sidecar/platform-errors.ts";
export type { ServiceEvent } from "./outside/platform/service-events.ts";
export type { SendOptions, ServiceJob, ServiceJobStatus, WaitOptions } from "./outside/platform/service-job.ts";
export type { JobRequestOptions, PlatformService, ServiceFilter, ServiceRecord } from "./outside/platform/services.ts";
export type { UploadContent, UploadOptions } from "./outside/platform/artifacts/upload-content.ts";
export { runMcpStdio } from "./start/run-mcp-stdio-later.ts";
export { Service, ServiceContact, ServiceLicense } from "./service/service.ts";
export type { ServiceContactOptions, ServiceHook, ServiceLicenseOptions, ServiceOptions } from "./service/service.ts";
export { startLambdaServer, type LambdaServer } from "./start/start.ts";
export type { AuthOptions } from "./service/config/auth-config.ts";
export type { ServerOptions } from "./service/config/config.ts";
export { getLogger, loggingInit } from "./telemetry/log/logging.ts";
export type { LogFields, Logger, LoggingOptions, LogLevel, LogMethod } from "./telemetry/log/logging.ts";
export type { ExecutorOpts, ToolOptions } from "./service/tools/tool-options.ts";
export { withSchema, type SchemaDecorator, type WithSchema } from "./service/tools/with-schema.ts";
