import type { JsonSchema, ResultKind, ToolDefinition, ToolFunctions } from "../../runtime/contract/contract.ts";
import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import type { ToolOptions } from "../../runtime/service/tools/tool-options.ts";
import type { Tool } from "../../runtime/service/tools/tool.ts";
import { reportProblems } from "../../runtime/contract/validation/report/report.ts";

export interface FakeTool {
  readonly name?: string;
  readonly path?: string;
  readonly alias?: string;
  readonly description?: string;
  /** Schema of the request; default: an object with an optional string `text`. `null`: takes no request. */
  readonly request?: JsonSchema | null;
  readonly resultKind?: ResultKind;
  readonly result?: JsonSchema;
  readonly definition?: Partial<ToolDefinition>;
  readonly functions?: Partial<ToolFunctions>;
  readonly options?: ToolOptions;
}

const textRequest: JsonSchema = {
  type: "object",
  properties: { text: { type: "string" } },
};

/** A tool as the plugin would have made it, around any function. The schema's interpreter is its validator. */
export function fakeTool<Request, Result>(
  call: (request: Request, job: JobContext) => Result,
  fake: FakeTool = {},
): Tool {
  const name = fake.name ?? "echo";
  const schema = fake.request === null ? undefined : (fake.request ?? textRequest);
  const definition: ToolDefinition = {
    name,
    description: fake.description ?? "A tool made by hand.",
    signature: `${name}(…): …`,
    source: "test/support/fake-tool.ts:1",
    annotations: {},
    ...(schema === undefined ? {} : { request: { schema } }),
    result: {
      kind: fake.resultKind ?? "json",
      ...(fake.result === undefined ? {} : { schema: fake.result }),
    },
    mcp: { inputSchema: schema ?? { type: "object" } },
    ...fake.definition,
  };
  const functions: ToolFunctions = {
    call: call as ToolFunctions["call"],
    ...(schema === undefined ? {} : { isRequest: (wire: unknown) => reportProblems(schema, wire).length === 0 }),
    ...fake.functions,
  };
  const path = fake.path ?? "/tool";
  const alias = fake.alias === undefined ? {} : { alias: fake.alias };
  return { name, definition, functions, options: fake.options ?? {}, path, ...alias };
}

/** A promise with its handles, for tests that decide when a tool goes on. */
export function deferred<T = void>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}
