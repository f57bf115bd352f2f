import { createClient } from "../../client/create-client.ts";
import type { ClientResult, ServiceClient } from "../../client/service-client.ts";
import type { RequestOf, ToolFunction } from "../../client/request-types.ts";
import { type MockDefinition, mockTransport } from "./mock-transport.ts";

/** Answers that replace generated samples, by tool. If an answer function throws, the call rejects with that error. */
export type MockAnswers<Tools extends object> = {
  readonly [Name in keyof Tools]?: Tools[Name] extends ToolFunction
    ? (
        request: RequestOf<Tools[Name]>,
      ) => ClientResult<Awaited<ReturnType<Tools[Name]>>> | Promise<ClientResult<Awaited<ReturnType<Tools[Name]>>>>
    : never;
};

/**
 * Makes a client without a service. Requests are checked by their schemas; a tool without an answer returns the example
 * of its schema, or else its simplest valid value.
 *
 * ```ts
 * import definition from "../service/service.json" with { type: "json" };
 * const service = createMockClient<typeof tools>(definition, { isPrime: ({ number }) => ({ number, isPrime: true }) });
 * ```
 */
export function createMockClient<Tools extends object>(
  definition: MockDefinition,
  answers: MockAnswers<Tools> = {},
): ServiceClient<Tools> {
  return createClient<Tools>({ transport: mockTransport(definition, answers) });
}
