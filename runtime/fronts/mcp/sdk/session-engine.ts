import { randomBytes } from "node:crypto";
import { type EventStore, type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { livePort } from "../port/live-port.ts";
import type { McpPort, McpSender } from "../port/port.ts";
import { EventLog, type SessionEvents } from "../sessions/event-log.ts";
import { SessionScopes } from "../sessions/session-scopes.ts";
import { slimInitialize } from "../sessions/slim-initialize.ts";
import { SessionTable } from "../sessions/session-table.ts";
import type { ReportEngineError } from "./sdk-faults.ts";
import { createServer } from "./sdk-server.ts";

/** Sessions of older clients over Streamable HTTP. */
export interface SessionEngine {
  /** Answers `initialize`, and begins a session; undefined when the table of sessions is full. */
  begin(request: Request, body: unknown, sender: McpSender): Promise<Response | undefined>;
  /**
   * Answers a request of a session; undefined for an id that this caller does not have.
   *
   * @throws ToolError `insufficient-scope`
   */
  answer(id: string, request: Request, body: unknown, sender: McpSender): Promise<Response | undefined>;
  /** Notifies clients of changed lists. */
  announce(): void;
  close(): Promise<void>;
}

interface Connection {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly events: SessionEvents;
  readonly scopes: SessionScopes;
}

/** Bytes of memory for one session, as measured (docs/operations.md). */
const sessionBytes = 32 * 1024;
const limits = { most: (64 * 1024 * 1024) / sessionBytes, idle: 30 * 60_000, unconfirmed: 15_000 };
const mostEventBytes = 64 * 1024 * 1024;
/** Milliseconds after which a client reconnects. */
const retryInterval = 1000;
/** Milliseconds between two checks for idle sessions. */
const sweepInterval = 5000;

export function createSessionEngine(
  port: () => McpPort,
  report: ReportEngineError,
  streamTime: number,
  now: () => number = Date.now,
): SessionEngine {
  const log = new EventLog(mostEventBytes);
  const table = new SessionTable<Connection>(limits, now, ({ value }) => {
    value.events.clear();
    void value.server.close().catch(report);
  });
  const sweep = setInterval(() => table.endIdle(), sweepInterval).unref();
  return {
    async begin(request, body, sender) {
      const id = randomBytes(16).toString("hex");
      const events = log.of(id);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessionclosed: () => table.end(id),
        eventStore: eventStore(events),
        retryInterval,
      });
      const server = createServer(livePort(port), report, "legacy", streamTime);
      await server.connect(transport);
      const scopes = new SessionScopes(port);
      if (!table.add({ id, owner: sender.caller?.owner, value: { server, transport, events, scopes } })) {
        await server.close();
        return undefined;
      }
      const response = await transport.handleRequest(request, {
        parsedBody: slimInitialize(body),
        authInfo: authInfo(sender),
      });
      // A handshake that was refused begins no session.
      if (transport.sessionId === undefined) table.end(id);
      return response;
    },
    async answer(id, request, body, sender) {
      const used = table.use(id, sender.caller?.owner);
      if (used === undefined) return undefined;
      const { transport, scopes } = used.value;
      try {
        scopes.check(sender.caller, body);
        const response = await transport.handleRequest(request, {
          ...(body !== undefined && { parsedBody: body }),
          authInfo: authInfo(sender),
        });
        return releasedAtEnd(response, used.release);
      } catch (error) {
        used.release();
        throw error;
      }
    },
    announce() {
      for (const { value } of table) {
        const { server } = value;
        const told = [server.sendToolListChanged(), server.sendPromptListChanged(), server.sendResourceListChanged()];
        for (const one of told) one.catch(() => {});
      }
    },
    async close() {
      clearInterval(sweep);
      for (const { id } of table) table.end(id);
    },
  };
}

function authInfo(sender: McpSender): {
  token: string;
  clientId: string;
  scopes: string[];
  extra: Record<string, unknown>;
} {
  return { token: "", clientId: "", scopes: [], extra: { ...sender } };
}

/** Returns the same response; the session counts as in use until the response's stream has ended or was cancelled. */
function releasedAtEnd(response: Response, release: () => void): Response {
  const { body } = response;
  if (body === null) {
    release();
    return response;
  }
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        return controller.close();
      } catch (error) {
        release();
        return controller.error(error);
      }
    },
    cancel(reason) {
      release();
      return reader.cancel(reason);
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}

/** A session's events in the form that the SDK uses. */
function eventStore(events: SessionEvents): EventStore {
  return {
    storeEvent: async (stream, message) => events.store(stream, message),
    getStreamIdForEventId: async (id) => events.streamOf(id),
    async replayEventsAfter(last, { send }) {
      const missed = events.after(last);
      const stream = events.streamOf(last);
      if (missed === undefined || stream === undefined) throw new Error("The event is not known, or no longer.");
      for (const [id, message] of missed) await send(id, message as never);
      return stream;
    },
  };
}
