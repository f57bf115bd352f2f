/**
 * A client that answers by schema: the exports of `tenon/client/mock`, for tests of callers. It needs nothing of Node.
 */
export { createMockClient, type MockAnswers } from "./create-mock-client.ts";
export type { MockDefinition } from "./create-mock-client.ts";
