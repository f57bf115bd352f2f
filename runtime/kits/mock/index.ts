/** A client that answers by schema: what tests of callers import from `tenon/client/mock`. It needs nothing of Node. */
export { createMockClient } from "./create-mock-client.ts";
export type { MockAnswers } from "./create-mock-client.ts";
export type { MockDefinition } from "./mock-definition.ts";
