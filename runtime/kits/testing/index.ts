/** The testing kit: the exports of `tenon/testing`, for tests of tools. */
export type { JsonObject, JsonValue, Problem } from "../../contract/contract.ts";
export type { ErrorKind } from "../../base/errors.ts";
export { createTestClient, type TestClientOptions } from "./test-client.ts";
export { callTool, type ToolCall } from "./call-tool.ts";
export type { Answers, AskedQuestion } from "./answers.ts";
export { fakeClock, type FakeClock, type FakeClockOptions } from "./fake-clock.ts";
export { createFakePlatform as fakePlatform, type FakePlatform, type FakePlatformOptions } from "./fake-platform.ts";
export type { FakeService, FakeServiceJob, ServiceMessage, ServiceRequest } from "./fake-services.ts";
export { llmTool, type LlmMessage, type LlmRequest, type LlmResult, type LlmUsage } from "./llm-tool.ts";
export { recordedJob, type JobOptions, type RecordedJob } from "./recorded-job.ts";
export type { RecordedEvent, RecordedStep } from "./recording.ts";
export type { CallArguments, RequestOf, ResultOf, ToolFunction, WireValue } from "../../client/request-types.ts";
export { ToolCallError } from "./tool-call-error.ts";
