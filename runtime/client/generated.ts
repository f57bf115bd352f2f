/**
 * The part of the client that `tenon client` writes into its files. `scripts/build/client-source.ts` collects its code.
 */
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
export { fixedClient, type ClientOptions } from "./fixed-client.ts";
export type { ContentResult } from "./content-result.ts";
export type { JobProgress } from "./job-events.ts";
export type { JobHandle, ToolClient, WaitingJobHandle, WaitingToolClient } from "./tool-client.ts";
export type { CallOptions, JobEvent, ToolFacts, WaitOptions } from "./transport.ts";
