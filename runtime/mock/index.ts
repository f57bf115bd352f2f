/** A client that answers by schema: what tests of callers import from `tenon/client/mock`. It needs nothing of Node. */
export { createMockClient } from "./create-mock-client.ts";
export type { MockAnswers, MockDefinition } from "./create-mock-client.ts";
