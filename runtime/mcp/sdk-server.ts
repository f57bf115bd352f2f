// With `sdk-call-context.ts` the only file that imports the MCP SDK. Whatever it offers goes through `McpPort`, so that
// another engine can take its place or stand in front of it.
import {
  createMcpHandler,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  Server,
} from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  JSONRPCMessage,
  ServerCapabilities,
  ServerContext,
  StandardSchemaV1,
  Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { JsonObject } from "../contract.ts";
import { serverCapabilities } from "./capabilities.ts";
import type { Era } from "./capabilities.ts";
import type { McpChannel } from "./channel.ts";
import { isRecord } from "./message-shape.ts";
import { faultCodes, McpFault } from "./fault.ts";
import type { McpCallContext, McpPort, McpSender } from "./port.ts";
import { callContext } from "./sdk-call-context.ts";
import type { ClientFacts } from "./sdk-call-context.ts";

export interface McpHttpEngine {
  /**
   * Answers one HTTP request of either protocol era. Closing the response's stream cancels what it started.
   *
   * @param body The parsed JSON of a POST, already checked.
   * @param sender What is known of who sent the request.
   */
  fetch(request: Request, body: unknown, sender: McpSender): Promise<Response>;
  /** Tells the clients that listen that the lists are others now. */
  announce(): void;
  /** Cancels what runs and refuses what comes. */
  close(): Promise<void>;
}

/** Called with what went wrong outside of any answer; for the log. */
export type ReportEngineError = (error: Error) => void;

/** MCP over Streamable HTTP: 2026-07-28 and every older revision, without sessions. `port` is asked for each request. */
export function createHttpEngine(port: () => McpPort, report: ReportEngineError): McpHttpEngine {
  // A fresh server per request keeps concurrent clients with equal request ids apart.
  const handler = createMcpHandler(({ era }) => createServer(port(), report, era), { onerror: report });
  return {
    fetch(request, body, sender) {
      return handler.fetch(request, {
        ...(body !== undefined && { parsedBody: body }),
        authInfo: { token: "", clientId: "", scopes: [], extra: { ...sender } },
      });
    },
    announce() {
      handler.notify.toolsChanged();
      handler.notify.promptsChanged();
      handler.notify.resourcesChanged();
    },
    close: () => handler.close(),
  };
}

/** MCP over a channel of messages, such as the lines of stdio; the first message decides the era. */
export function serveChannel(
  port: McpPort,
  channel: McpChannel,
  report: ReportEngineError,
): { close(): Promise<void> } {
  const transport: Transport = {
    async start() {
      channel.open({
        message: (message) => transport.onmessage?.(message as JSONRPCMessage),
        closed: () => transport.onclose?.(),
      });
    },
    send: (message) => channel.send(message),
    async close() {
      channel.close();
    },
  };
  return serveStdio(({ era }) => createServer(port, report, era), { transport, onerror: report });
}

function createServer(port: McpPort, report: ReportEngineError, era: Era): Server {
  const ttl = { ttlMs: port.toolsTtl, cacheScope: port.listScope };
  const server = new Server(port.info, {
    capabilities: serverCapabilities(port, era) as ServerCapabilities,
    ...(port.instructions !== undefined && { instructions: port.instructions }),
    cacheHints: {
      "tools/list": ttl,
      "prompts/list": ttl,
      "resources/list": ttl,
      "resources/templates/list": ttl,
      "server/discover": ttl,
    },
    // A person answers the questions of older clients; no limit of ours to how often and how long a tool may ask.
    inputRequired: { maxRounds: 100, roundTimeoutMs: 3_600_000 },
    // Only answers to questions of the server are validated by it, and the port does so; making ajv costs per request.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are no event targets
  server.onerror = report;
  const client: ClientFacts = { server, era, logLevel: undefined };
  if (era === "legacy") {
    server.setRequestHandler("logging/setLevel", ({ params }) => {
      client.logLevel = params.level;
      return {};
    });
  }
  const serve: Serve = (method, answer) =>
    // The SDK types each method's result; the port's are checked against the protocol's schemas by tests.
    server.setRequestHandler(method, ((request: { params?: never }, context: ServerContext) =>
      asProtocolErrors(report, () => answer(request.params ?? {}, callContext(client, context)))) as never);
  serve("tools/list", ({ cursor }, context) => port.listTools(cursor as string | undefined, context.scopes));
  serve("tools/call", async ({ name, arguments: args = {} }, context) => {
    const answer = await port.callTool(name as string, args as JsonObject, context);
    if ("inputRequests" in answer) return { resultType: "input_required", ...answer };
    // The SDK refuses a result of this method without content.
    if ("taskId" in answer) return { resultType: "task", ...answer, content: [] };
    return server.projectCallToolResult(answer as CallToolResult, undefined);
  });
  servePrompts(port, serve);
  serveResources(port, serve);
  if (era === "legacy") serveSubscriptions(port, serve);
  serveCompletion(port, serve);
  if (era === "modern") serveTasks(port, client, report);
  return server;
}

type Serve = (
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

function servePrompts({ prompts }: McpPort, serve: Serve): void {
  if (prompts === undefined) return;
  serve("prompts/list", ({ cursor }, context) => prompts.list(cursor as string | undefined, context.scopes));
  serve("prompts/get", async ({ name, arguments: args = {} }, context) =>
    asked(await prompts.get(name as string, args as JsonObject, context)),
  );
}

function serveResources({ resources }: McpPort, serve: Serve): void {
  if (resources === undefined) return;
  serve("resources/list", ({ cursor }, context) => resources.list(cursor as string | undefined, context.scopes));
  serve("resources/templates/list", ({ cursor }, context) =>
    resources.listTemplates(cursor as string | undefined, context.scopes),
  );
  serve("resources/read", async ({ uri }, context) => asked(await resources.read(uri as string, context)));
}

/** A resource is computed when it is read, so that it has no changes to tell of: a subscription is taken, and stays silent. */
function serveSubscriptions({ resources }: McpPort, serve: Serve): void {
  if (resources === undefined) return;
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    serve(method, ({ uri }) => {
      resources.check(uri as string);
      return {};
    });
  }
}

function serveCompletion({ prompts, resources }: McpPort, serve: Serve): void {
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

/** The SDK has no tasks of its own, and takes handlers of any method. */
function serveTasks({ tasks }: McpPort, client: ClientFacts, report: ReportEngineError): void {
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

/** Parameters of the tasks' methods, in the form in which the SDK takes any validator. */
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

/** The SDK reads a code only off its own error class, and sends the message of every other error as it is. */
async function asProtocolErrors<T>(report: ReportEngineError, answer: () => T | Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (thrown) {
    if (thrown instanceof McpFault) throw protocolError(thrown);
    report(thrown instanceof Error ? thrown : new Error(String(thrown)));
    throw new ProtocolError(faultCodes.internalError, "Internal error");
  }
}

function protocolError({ code, message, data }: McpFault): ProtocolError {
  // The transport knows the status of this one by its class.
  const required = data?.["requiredCapabilities"];
  if (code === faultCodes.missingCapability && isRecord(required))
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: required }, message);
  return new ProtocolError(code, message, data);
}
