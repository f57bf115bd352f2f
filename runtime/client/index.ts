/** The client of services: the exports of `tenon/client`. It needs `fetch`, but nothing of Node. */
export type { ContentBlock, JsonObject, JsonValue, Problem } from "../contract/contract.ts";
export type { ErrorKind } from "../contract/error-kind.ts";
export { CallError, isCallError } from "./call-error.ts";
export type {
  CallFailure,
  ConnectionErrorKind,
  ConnectionFailure,
  InvalidRequest,
  ServiceFailure,
} from "./call-error.ts";
export type { ContentResult } from "./content-result.ts";
export { createClient, type ServiceAddress, type ServiceTransport } from "./create-client.ts";
export type { ClientOptions } from "./fixed-client.ts";
export type { HttpOptions } from "./rest/http.ts";
export type { RetryOptions } from "./rest/retry.ts";
export type { ClientResult, ClientValue, ServiceClient } from "./service-client.ts";
export type { DefinedTool, Definition } from "./tool-facts.ts";
export { isEvent, type EventClass, type JobProgress, type TypedEvent } from "./job-events.ts";
export type { JobHandle, ToolClient, WaitingJobHandle, WaitingToolClient } from "./tool-client.ts";
export type { CallOptions, JobEvent, Transport, WaitOptions } from "./transport.ts";
