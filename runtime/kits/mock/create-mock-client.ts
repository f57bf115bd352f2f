import { createClient } from "../../client/create-client.ts";
import type { ClientResult, ServiceClient } from "../../client/service-client.ts";
import type { RequestOf, ToolFunction } from "../../client/request-types.ts";
import { CallError, lostJob, unknownTool } from "../../client/call-error.ts";
import { encodeRequest } from "../../client/encode-request.ts";
import { toolFacts, type DefinedTool } from "../../client/tool-facts.ts";
import type { RemoteJob, ToolFacts, Transport, WireResult } from "../../client/transport.ts";
import { unlessAborted } from "../../client/unless-aborted.ts";
import { sampleOf } from "../../web/console/schema/sample.ts";
import type { Schema } from "../../web/console/schema/schema.ts";
import type { JsonSchema } from "../../contract/contract.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";

type Answer = (request: unknown) => unknown;

/** A service definition, such as an import of the committed `service.json`. */
export interface MockDefinition {
  readonly tools: readonly (DefinedTool & { readonly "request-schema"?: object })[];
}

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

/** Answers calls without a service. Each job has one answer, has already ended, and reports no events. */
export function mockTransport({ tools }: MockDefinition, answers: object): Transport {
  const jobs = new Map<string, RemoteJob>();

  const find = (name: string): MockDefinition["tools"][number] | undefined => tools.find((one) => one.name === name);

  function readRequest({ name }: ToolFacts, body: string): unknown {
    const request: unknown = JSON.parse(body);
    check(find(name)?.["request-schema"] as JsonSchema | undefined, request);
    return request;
  }

  async function answerTo({ name, kind }: ToolFacts, request: unknown): Promise<WireResult> {
    const answer = (answers as Readonly<Record<string, Answer | undefined>>)[name];
    if (answer !== undefined) return wireOf(await answer(request));
    if (kind === "bytes" || kind === "binary") return { kind: "blob", blob: new Blob([]) };
    if (kind === "content") return { kind: "json", value: { content: [] } };
    const schema = (find(name)?.["result-schema"] ?? {}) as Schema;
    return { kind: "json", value: sampleOf(schema, schema) };
  }

  return {
    async tool(name) {
      const tool = find(name);
      if (tool !== undefined) return toolFacts(tool);
      const names = tools.map((one) => one.name);
      throw unknownTool("The definition", name, names);
    },
    call: async (facts, body, { signal }) => unlessAborted(answerTo(facts, readRequest(facts, body)), signal),
    async start(facts, body) {
      const ended = answerTo(facts, readRequest(facts, body));
      ended.catch(() => {});
      const job: RemoteJob = {
        id: `mock-${jobs.size + 1}`,
        result: (signal) => unlessAborted(ended, signal),
        async *events() {},
        cancel: async () => {},
        send: async () => {},
      };
      jobs.set(job.id, job);
      return job;
    },
    job(_, id) {
      const found = jobs.get(id);
      if (found === undefined) throw lostJob(id);
      return found;
    },
  };
}

/** Checks a request as the service would. */
function check(schema: JsonSchema | undefined, request: unknown): void {
  const problems = schema === undefined ? [] : reportProblems(schema, request);
  if (problems.length === 0) return;
  const lines = problems.map(({ path, message }) => `  ${path === "" ? "(request)" : path}: ${message}`);
  const message = ["The request does not match its schema.", ...lines].join("\n");
  throw new CallError("validation", message, { status: 422, problems });
}

/** Encodes an answer, so that the client decodes its classes by the schema. */
function wireOf(answer: unknown): WireResult {
  if (answer instanceof Blob) return { kind: "blob", blob: answer };
  if (answer instanceof Uint8Array) return { kind: "blob", blob: new Blob([answer as Uint8Array<ArrayBuffer>]) };
  if (typeof answer === "string") return { kind: "text", text: answer };
  // Sent as a request, null would be an empty one.
  if (answer === undefined || answer === null) return { kind: "json", value: null };
  return { kind: "json", value: JSON.parse(encodeRequest(answer)) };
}
