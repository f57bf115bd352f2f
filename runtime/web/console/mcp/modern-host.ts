import { asRecord, recordIn, recordsIn, textIn } from "../base/json.ts";
import type { Client } from "../client/client.ts";
import { clientCapabilities, clientInfo, lineOf, pause, resultOf, type Ask, type Host } from "./host.ts";
import type { JsonObject, Wire } from "./wire.ts";

const revision = "2026-07-28";
const prefix = "io.modelcontextprotocol/";
const extensions = { [`${prefix}tasks`]: {}, [`${prefix}ui`]: { mimeTypes: ["text/html;profile=mcp-app"] } };
const changes = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** Creates a host of the newest revision: without a session, with questions in answers, and with tasks. */
export function modernHost(_: Client, wire: Wire): Host {
  const closing = new AbortController();
  /** Schemas of the arguments of tools, by which some arguments are repeated as headers. */
  const schemas = new Map<unknown, unknown>();

  async function send({ method, params, signal, tell }: Ask): Promise<JsonObject> {
    const id = wire.next();
    const meta = {
      progressToken: id,
      [`${prefix}protocolVersion`]: revision,
      [`${prefix}clientInfo`]: clientInfo,
      [`${prefix}clientCapabilities`]: { ...clientCapabilities, extensions },
      [`${prefix}logLevel`]: "debug",
    };
    const name = textIn(params, "name") ?? textIn(params, "uri") ?? textIn(params, "taskId");
    const response = await wire.post(
      { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } },
      {
        "mcp-protocol-version": revision,
        "mcp-method": method,
        ...(name !== undefined && { "mcp-name": headerText(name) }),
        ...parameterHeaders(schemas.get(name), params["arguments"]),
      },
      signal,
    );
    for await (const { message } of wire.read(response)) {
      if (message["method"] === undefined) return resultOf(message);
      const line = lineOf(message);
      if (line !== undefined) tell?.(line);
    }
    throw new Error("The stream ended before the answer came.");
  }

  /** Asks the user each question. If the user refuses a question that is not a form, the call ends. */
  async function answersTo(requests: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const answers: Record<string, unknown> = {};
    for (const [key, request] of Object.entries(requests)) {
      const method = textIn(request, "method") ?? "";
      const answer = await wire.ask(method, recordIn(request, "params"), signal);
      if (answer === undefined) throw new Error("The question was refused.");
      answers[key] = answer;
    }
    return answers;
  }

  async function request(ask: Ask): Promise<JsonObject> {
    let more = {};
    for (;;) {
      const result = await send({ ...ask, params: { ...ask.params, ...more } });
      for (const { name, inputSchema } of recordsIn(result, "tools")) schemas.set(name, inputSchema);
      if (result["resultType"] === "task") {
        const { followTask } = await import("./follow-task.ts");
        return followTask(textIn(result, "taskId") ?? "", { ...ask, send, answersTo });
      }
      if (result["resultType"] !== "input_required") return result;
      const { requestState } = result;
      const inputResponses = await answersTo(recordIn(result, "inputRequests"), ask.signal);
      more = { requestState, inputResponses };
    }
  }

  /** Keeps the stream open that reports changed lists. */
  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      const { signal } = closing;
      await send({ method: "subscriptions/listen", params: { notifications: changes }, signal }).catch(() => {});
      await pause(1000, signal);
    }
  }

  return {
    wire,
    async open() {
      const server = await send({ method: "server/discover", params: {} });
      if (Object.values(recordIn(server, "capabilities")).some((one) => asRecord(one)["listChanged"] === true))
        void listen();
      return { protocolVersion: revision, serverInfo: recordIn(server, "_meta")[`${prefix}serverInfo`], ...server };
    },
    request,
    close: () => closing.abort(),
  };
}

/** Makes the headers that repeat arguments of a call, as the tool's schema requires. */
function parameterHeaders(schema: unknown, args: unknown): Readonly<Record<string, string>> {
  const { "x-mcp-header": header } = asRecord(schema);
  const own = typeof header === "string" && typeof args !== "object" && args !== undefined;
  const parts = Object.entries(recordIn(schema, "properties")).map(([key, part]) =>
    parameterHeaders(part, asRecord(args)[key]),
  );
  return Object.assign(own ? { [`mcp-param-${header}`]: headerText(String(args)) } : {}, ...parts);
}

/** Encodes a text for a header. */
function headerText(text: string): string {
  if (/^(?!=\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;
}
