// Methods of extensions: the SDK accepts handlers of any method.
import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import { isRecord } from "../port/message-shape.ts";
import type { McpCallContext, McpPort } from "../port/port.ts";
import { callContext } from "./sdk-call-context.ts";
import type { ClientFacts } from "./sdk-call-context.ts";
import { asProtocolErrors } from "./sdk-faults.ts";
import type { ReportEngineError } from "./sdk-faults.ts";

/** Registers the methods of tasks. */
export function serveTasks({ tasks }: McpPort, client: ClientFacts, report: ReportEngineError): void {
  if (tasks === undefined) return;
  const serve = (method: string, answer: (taskId: string, context: McpCallContext) => Promise<object | void>): void =>
    client.server.setRequestHandler(
      method,
      { params: withText("taskId") },
      ({ taskId }, context) =>
        asProtocolErrors(report, async () => ({
          resultType: "complete",
          ...(await answer(taskId, callContext(client, context))),
        })) as never,
    );
  serve("tasks/get", (taskId, context) => tasks.get(taskId, context));
  serve("tasks/update", (taskId, context) => tasks.update(taskId, context.inputResponses, context));
  serve("tasks/cancel", (taskId, context) => tasks.cancel(taskId, context));
}

/** Registers the methods of skills. Each list is one page. */
export function serveSkills(
  { skills, toolsTtl, listScope }: McpPort,
  client: ClientFacts,
  report: ReportEngineError,
): void {
  if (skills === undefined) return;
  const head = { resultType: "complete", ttlMs: toolsTtl, cacheScope: listScope };
  const serve = (method: string, answer: (uri: string) => object): void =>
    client.server.setRequestHandler(
      method,
      { params: withText("uri") },
      ({ uri }) => asProtocolErrors(report, () => ({ ...head, ...answer(uri) })) as never,
    );
  client.server.setRequestHandler(
    "skills/list",
    { params: anything },
    () => ({ ...head, skills: skills.list() }) as never,
  );
  serve("skills/get", (uri) => ({ skill: skills.get(uri) }));
  serve("resources/directory/read", (uri) => ({ resources: skills.directory(uri) }));
}

const anything: StandardSchemaV1<object> = {
  "~standard": { version: 1, vendor: "tenon", validate: () => ({ value: {} }) },
};

/** Parameters with one text, in the form that the SDK accepts for any validator. */
function withText<K extends string>(key: K): StandardSchemaV1<Readonly<Record<K, string>>> {
  return {
    "~standard": {
      version: 1,
      vendor: "tenon",
      validate(value) {
        return isRecord(value) && typeof value[key] === "string"
          ? { value: { [key]: value[key] } as Readonly<Record<K, string>> }
          : { issues: [{ message: `\`${key}\` must be a string`, path: [key] }] };
      },
    },
  };
}
