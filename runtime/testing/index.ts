/** The testing kit: what tests of tools import from `tenon/testing`. */
export type { JsonObject, JsonValue, Problem } from "../contract/contract.ts";
export type { ErrorKind } from "../base/errors.ts";
export { callTool } from "./call-tool.ts";
export type { ToolCall } from "./call-tool.ts";
export type { Answers, AskedQuestion } from "./answers.ts";
export { fakeClock } from "./fake-clock.ts";
export type { FakeClock, FakeClockOptions } from "./fake-clock.ts";
export { createFakePlatform as fakePlatform } from "./fake-platform.ts";
export type { FakePlatform, FakePlatformOptions } from "./fake-platform.ts";
export type { FakeService, FakeServiceJob, ServiceRequest } from "./fake-services.ts";
export { llmTool } from "./llm-tool.ts";
export type { LlmMessage, LlmRequest, LlmResult, LlmUsage } from "./llm-tool.ts";
export { recordedJob } from "./recorded-job.ts";
export type { JobOptions, RecordedJob } from "./recorded-job.ts";
export type { RecordedEvent, RecordedStep } from "./recording.ts";
export type { CallArguments, RequestOf, ResultOf, ToolFunction, WireValue } from "../caller/request-types.ts";
export { ToolCallError } from "./tool-call-error.ts";
