// Maps each method of the protocol beyond tools to the port.
import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../contract/contract.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpCallContext, McpPort } from "../port/port.ts";
import { callContext } from "./sdk-call-context.ts";
import type { ClientFacts } from "./sdk-call-context.ts";
import { asProtocolErrors } from "./sdk-faults.ts";
import type { ReportEngineError } from "./sdk-faults.ts";

/** Registers the handler of one method of the protocol. */
export type Serve = (
  method:
    | "tools/list"
    | "tools/call"
    | "prompts/list"
    | "prompts/get"
    | "resources/list"
    | "resources/templates/list"
    | "resources/read"
    | "resources/subscribe"
    | "resources/unsubscribe"
    | "completion/complete",
  answer: (params: Readonly<Record<string, unknown>>, context: McpCallContext) => unknown,
) => void;

/** Registers the methods of prompts. */
export function servePrompts({ prompts }: McpPort, serve: Serve): void {
  if (prompts === undefined) return;
  serve("prompts/list", ({ cursor }, context) => prompts.list(cursor as string | undefined, context.scopes));
  serve("prompts/get", async ({ name, arguments: args = {} }, context) =>
    asked(await prompts.get(name as string, args as JsonObject, context)),
  );
}

/** Registers the methods of resources. */
export function serveResources({ resources }: McpPort, serve: Serve): void {
  if (resources === undefined) return;
  serve("resources/list", ({ cursor }, context) => resources.list(cursor as string | undefined, context.scopes));
  serve("resources/templates/list", ({ cursor }, context) =>
    resources.listTemplates(cursor as string | undefined, context.scopes),
  );
  serve("resources/read", async ({ uri }, context) => asked(await resources.read(uri as string, context)));
}

/** A resource is computed when it is read, so it has no change events: a subscription is accepted, and stays silent. */
export function serveSubscriptions({ resources }: McpPort, serve: Serve): void {
  if (resources === undefined) return;
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    serve(method, ({ uri }) => {
      resources.check(uri as string);
      return {};
    });
  }
}

/** Registers the completion of arguments. */
export function serveCompletion({ prompts, resources }: McpPort, serve: Serve): void {
  if (prompts === undefined && resources === undefined) return;
  serve("completion/complete", ({ ref, argument }) => {
    const { type, name, uri } = ref as { readonly type: string; readonly name?: string; readonly uri?: string };
    const typed = argument as { readonly name: string; readonly value: string };
    const values =
      type === "ref/prompt"
        ? prompts?.complete(name ?? "", typed.name, typed.value)
        : resources?.complete(uri ?? "", typed.name, typed.value);
    return { completion: { values: values ?? [], total: values?.length ?? 0, hasMore: false } };
  });
}

/** The SDK has no tasks of its own, and accepts handlers of any method. */
export function serveTasks({ tasks }: McpPort, client: ClientFacts, report: ReportEngineError): void {
  if (tasks === undefined) return;
  const serve = (method: string, answer: (taskId: string, context: McpCallContext) => Promise<object | void>): void =>
    client.server.setRequestHandler(
      method,
      { params: taskParams },
      (params, context) =>
        asProtocolErrors(report, async () => ({
          resultType: "complete",
          ...(await answer(params.taskId, callContext(client, context))),
        })) as never,
    );
  serve("tasks/get", (taskId, context) => tasks.get(taskId, context));
  serve("tasks/update", (taskId, context) => tasks.update(taskId, context.inputResponses, context));
  serve("tasks/cancel", (taskId, context) => tasks.cancel(taskId, context));
}

/** Parameters of the tasks' methods, in the form that the SDK accepts for any validator. */
const taskParams: StandardSchemaV1<{ readonly taskId: string }> = {
  "~standard": {
    version: 1,
    vendor: "tenon",
    validate(value) {
      return isRecord(value) && typeof value["taskId"] === "string"
        ? { value: { taskId: value["taskId"] } }
        : { issues: [{ message: "`taskId` must be a string", path: ["taskId"] }] };
    },
  },
};

function asked<T extends object>(answer: T): object {
  return "inputRequests" in answer ? { resultType: "input_required", ...answer } : answer;
}
