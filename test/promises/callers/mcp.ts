import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { readToolResult } from "../../../runtime/client/mcp/read-tool-result.ts";
import { toolFacts, type Definition } from "../../../runtime/client/tool-facts.ts";
import type { Process } from "../process.ts";
import { calledBy, type Called, type Caller, type PreparedCall } from "./caller.ts";

export interface McpTarget {
  readonly revision: "2025-11-25" | "2026-07-28";
  /** It says which results are bytes and which are texts. */
  readonly definition: Definition;
  readonly connection: { readonly url: string } | { readonly process: Process };
}

/** Calls over MCP with the official client; one for each caller, which can be asked. */
export function mcpCaller(target: McpTarget): Caller {
  const clients = new Map<string | undefined, Promise<Client>>();
  const answers = new Map<string, unknown>();
  const clientOf = (token: string | undefined): Promise<Client> => {
    const known = clients.get(token) ?? connect(target, token, answers);
    clients.set(token, known);
    return known;
  };
  return {
    async call(call) {
      for (const [question, answer] of Object.entries(call.answers ?? {})) answers.set(question, answer);
      return callMcp(await clientOf(call.token), target.definition, call);
    },
    async ask(method, params, token) {
      return (await clientOf(token)).request({ method, params } as never);
    },
    async close() {
      for (const client of clients.values()) await (await client).close();
    },
  };
}

async function connect(
  { revision, connection }: McpTarget,
  token: string | undefined,
  answers: ReadonlyMap<string, unknown>,
): Promise<Client> {
  const client = new Client(
    { name: "promises", version: "1" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: revision === "2025-11-25" ? "legacy" : { pin: revision } },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const answer = answers.get(params.message);
    return answer === "decline" ? { action: "decline" } : { action: "accept", content: answer as never };
  });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(
    "url" in connection
      ? new StreamableHTTPClientTransport(new URL(connection.url), { requestInit: { headers } })
      : pipeTo(connection.process),
  );
  return client;
}

/** The standard streams of a process that runs already. */
function pipeTo({ child }: Process): Transport {
  const transport: Transport = {
    async start() {
      // One in a turn, as from a stream of events: the client drops progress that comes in one piece with the answer.
      createInterface({ input: child.stdout }).on("line", (line) => {
        setImmediate(() => transport.onmessage?.(JSON.parse(line) as never));
      });
      child.once("close", () => transport.onclose?.());
    },
    async send(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      child.stdin.end();
    },
  };
  return transport;
}

async function callMcp(client: Client, { tools }: Definition, call: PreparedCall): Promise<Called> {
  const { call: name, request = {}, traceparent, how = "waits", running } = call;
  const events: unknown[] = [];
  const leaving = new AbortController();
  const answering = client.callTool(
    {
      name,
      arguments: request as Record<string, unknown>,
      ...(traceparent !== undefined && { _meta: { traceparent } }),
    },
    {
      signal: leaving.signal,
      timeout: 60_000,
      onprogress: (progress) => {
        const { "platform/event": event } = (progress as { _meta?: Readonly<Record<string, unknown>> })._meta ?? {};
        if (event !== undefined) events.push(event);
      },
    },
  );
  if (how === "leaves" || how === "cancels" || how === "runs") {
    answering.catch(() => {});
    await running();
    if (how === "runs") return {};
    leaving.abort();
    const isRefused = await answering.then(
      () => false,
      () => true,
    );
    return isRefused ? { events, failure: { kind: "cancelled", message: "" } } : {};
  }
  const answer = await answering.catch((error: Error) => error);
  if (answer instanceof Error) return { events, failure: { kind: "rejected", message: answer.message } };
  const facts = tools.find((tool) => tool.name === name);
  if (facts === undefined) throw new Error(`The definition has no tool ${name}`);
  const jobId = (answer._meta as Readonly<Record<string, unknown>> | undefined)?.["platform/job-id"];
  const called = await calledBy(() => readToolResult(toolFacts(facts), answer as never));
  return { jobId: jobId as string | undefined, events, ...called };
}
