import type { Client } from "@modelcontextprotocol/client";
import { toolSearchNames } from "../../contract/definition/tool-search-names.ts";
import { nearestName } from "../../contract/nearest-name.ts";
import { CallError, lostJob, unknownTool } from "../call-error.ts";
import { toolFacts, type Definition } from "../tool-facts.ts";
import type { CallOptions, RemoteJob, ToolFacts, Transport, WireResult } from "../transport.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { EventLog } from "../event-log.ts";
import { asCallError } from "./as-call-error.ts";
import { describedFacts, readDescription, readToolResult } from "./read-tool-result.ts";

/** A transport to tools over MCP. `close` ends the connection, and the server process if one was started for it. */
export interface McpTransport extends Transport {
  /**
   * Returns the connected client of the package `@modelcontextprotocol/client`, for prompts, resources and other
   * features of MCP.
   */
  client(): Promise<Client>;
  close(): Promise<void>;
}

/**
 * Makes the transport to the tools of a server. `connect` is called with the first call, and again after the connection
 * was closed.
 */
export function clientTransport(connect: () => Promise<Client>, definition?: Definition): McpTransport {
  let connecting: Promise<Client> | undefined;
  const jobs = new Map<string, RemoteJob>();
  let listing: Promise<Map<string, ToolFacts>> | undefined;

  function connected(): Promise<Client> {
    if (connecting === undefined) {
      const opening = connect();
      connecting = opening;
      opening.then(
        (client) => Object.assign(client, { onclose: forget }),
        () => forget(),
      );
    }
    return connecting;
  }

  /** Drops the connection, so that the next call connects again. */
  function forget(): void {
    connecting = undefined;
    listing = undefined;
  }

  async function list(): Promise<Map<string, ToolFacts>> {
    const { tools } = await (await connected()).listTools();
    const known = new Map(definition?.tools.map((tool) => [tool.name, toolFacts(tool)]));
    return new Map(tools.map((tool) => [tool.name, known.get(tool.name) ?? describedFacts(tool)]));
  }

  /** Finds a tool of a server whose list has only tools for the search of others, which are called by name as well. */
  async function describe(name: string): Promise<ToolFacts> {
    const known = definition?.tools.find((tool) => tool.name === name);
    if (known !== undefined) return toolFacts(known);
    try {
      const client = await connected();
      const answer = await client.callTool({ name: toolSearchNames.describe, arguments: { name } });
      return describedFacts(readDescription(name, answer as never));
    } catch (error) {
      throw asCallError(error);
    }
  }

  async function run(facts: ToolFacts, body: string, events: EventLog, call: CallOptions): Promise<WireResult> {
    const { signal, traceparent } = call;
    try {
      const result = await (
        await unlessAborted(connected(), signal)
      ).callTool(
        {
          name: facts.name,
          arguments: JSON.parse(body) as Record<string, unknown>,
          ...(traceparent !== undefined && { _meta: { traceparent } }),
        },
        { ...(signal !== undefined && { signal }), timeout: longest, onprogress: (progress) => events.add(progress) },
      );
      return readToolResult(facts, result as never);
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : asCallError(error);
    } finally {
      events.end();
    }
  }

  function begin(facts: ToolFacts, body: string, call: CallOptions): RemoteJob {
    const id = crypto.randomUUID();
    const cancelled = new AbortController();
    const events = new EventLog();
    const running = run(facts, body, events, { ...call, signal: cancelled.signal });
    // The rejection is handled here, since nobody may call `result`; callers of `result` still get the error.
    running.catch(() => {});
    const job: RemoteJob = {
      id,
      result: (signal) => unlessAborted(running, signal),
      events: (after, signal) => events.read(after, signal),
      cancel: async () =>
        cancelled.abort(new CallError("cancelled", "The job was cancelled.", { status: 409, jobId: id })),
      send: async () => {
        throw new CallError("unavailable", "Messages to jobs go over REST, or by the tool `job_send`.", { jobId: id });
      },
    };
    jobs.set(id, job);
    for (const [oldest] of jobs) if (jobs.size > mostJobs) jobs.delete(oldest);
    return job;
  }

  return {
    client: connected,
    async tool(name, signal) {
      listing ??= list().catch((error: unknown) => {
        listing = undefined;
        throw asCallError(error);
      });
      const tools = await unlessAborted(listing, signal);
      const found = tools.get(name);
      if (found !== undefined) return found;
      if (Object.values(toolSearchNames).every((one) => tools.has(one))) {
        const described = await unlessAborted(describe(name), signal);
        tools.set(name, described);
        return described;
      }
      const names = [...tools.keys()];
      const meant = nearestName(name, names);
      throw unknownTool("The service", name, names, meant && ` Did you mean ${meant}?`);
    },
    call: async (facts, body, call) => run(facts, body, new EventLog(), withoutKey(call)),
    start: async (facts, body, call) => begin(facts, body, withoutKey(call)),
    job(_, id) {
      const found = jobs.get(id);
      if (found === undefined) throw lostJob(id);
      return found;
    },
    async close() {
      const open = connecting;
      forget();
      jobs.clear();
      await (await open)?.close();
    },
  };
}

/** Refuses an idempotency key: ignored, it would let two calls with one key be two jobs. */
function withoutKey(call: CallOptions): CallOptions {
  if (call.idempotencyKey === undefined) return call;
  throw new CallError("unavailable", "MCP has no idempotency keys; REST has.");
}

/** Number of started jobs that can be found by their ids. The handles of older ones have their jobs themselves. */
const mostJobs = 1000;

/** Timeout in milliseconds for requests. The MCP client's own default is too short, since a job may take hours. */
const longest = 2 ** 31 - 1;
