/** The public API: what authors of tools and services import from `tenon`. */
export { startBatchService } from "./batch/start-batch-service.ts";
export type { BatchServiceOptions } from "./batch/start-batch-service.ts";
export type { Worker } from "./batch/choose-worker.ts";
export { ValueError } from "./errors.ts";
export { BaseEvent, GenericErrorEvent, GenericEvent } from "./events/event.ts";
export type { EventOptions } from "./events/event.ts";
export { EventContext, EventReporter } from "./events/reporter.ts";
export type { StepOptions } from "./events/reporter.ts";
export { DeclinedError } from "./jobs/ask.ts";
export type { AskOptions } from "./jobs/ask.ts";
export { BinaryResult } from "./jobs/binary-result.ts";
export type { BinaryContent } from "./jobs/binary-result.ts";
export { Content, Message } from "./jobs/content.ts";
export type { ContentOptions, LinkOptions } from "./jobs/content.ts";
export { getEventReporter, getJobContext, getJobId, JobContext } from "./jobs/job-context.ts";
export type { JobUrn } from "./jobs/job.ts";
export { DEFAULT_LLM_MODEL } from "./llm/default-model.ts";
export { LlmConfigurationError, LlmPackageError } from "./llm/llm-errors.ts";
export type { LlmClient, LlmOptions } from "./llm/openai-types.ts";
export { registerMcp } from "./mcp/register-mcp.ts";
export type { AppWithRoutes, RegisteredMcp, RouteContext } from "./mcp/register-mcp.ts";
export { MissingCapabilityError } from "./jobs/question.ts";
export type { ClientCapability, ClientMethod } from "./jobs/question.ts";
export { platformLambda } from "./platform-lambda.ts";
export type { Artifact, ArtifactInfo, LocalFile, LocalFileOptions } from "./platform/artifact.ts";
export type { ArtifactUrn } from "./platform/artifact-urn.ts";
export type { Aspect, AspectFilter, AspectOptions, AspectRecord } from "./platform/aspects.ts";
export type { PlatformClient } from "./platform/platform-client.ts";
export {
  AmbiguousRequestError,
  ArtifactIntegrityError,
  NotAuthorizedError,
  PlatformError,
  ResourceNotFoundError,
  ServiceJobError,
} from "./platform/platform-errors.ts";
export type { ServiceEvent } from "./platform/service-events.ts";
export type { ServiceJob, ServiceJobStatus, WaitOptions } from "./platform/service-job.ts";
export type { JobRequestOptions, PlatformService, ServiceFilter, ServiceRecord } from "./platform/services.ts";
export type { UploadContent, UploadOptions } from "./platform/upload-content.ts";
export { runMcpStdio } from "./run-mcp-stdio.ts";
export { Service, ServiceContact, ServiceLicense } from "./service.ts";
export type { ServiceContactOptions, ServiceLicenseOptions, ServiceOptions } from "./service.ts";
export { startLambdaServer } from "./start.ts";
export type { LambdaServer } from "./start.ts";
export type { AuthOptions } from "./auth/auth-config.ts";
export type { ServerOptions } from "./server-options.ts";
export { getLogger, loggingInit } from "./telemetry/logging.ts";
export type { LogFields, Logger, LoggingOptions, LogLevel, LogMethod } from "./telemetry/logging.ts";
export type { ExecutorOpts, ToolOptions } from "./tool-options.ts";
export { withSchema } from "./with-schema.ts";
export type { SchemaDecorator, WithSchema } from "./with-schema.ts";
