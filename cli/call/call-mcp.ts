import { CallError } from "../../runtime/client/call-error.ts";
import { clientTransport } from "../../runtime/client/mcp/client-transport.ts";
import { connect } from "../../runtime/client/mcp/connect.ts";
import { visibleLine, visibleRecord } from "../../runtime/base/visible-text.ts";
import { CommandError } from "../base/usage.ts";
import { type CallAnswer, type Listener, readAnswer } from "./call-answer.ts";
import { runCall } from "./run-call.ts";
import type { ToolFacts, WireResult } from "../../runtime/client/transport.ts";
import { fetchService, needsToken } from "../base/fetch-service.ts";
import { parsed, readWhole } from "../base/read-answer.ts";

/** Calls a tool over MCP by the client of `tenon/client/mcp`, of any revision that the server speaks. */
export async function callMcp(url: string, tool: string, request: unknown, onStep: Listener): Promise<CallAnswer> {
  const answers = watchAnswers();
  const service = clientTransport(() =>
    connect({ url, fetch: answers.fetch }, undefined, () => import("../../runtime/client/mcp/official.ts")),
  );
  try {
    const facts = await service.tool(tool, undefined);
    return await runCall(service, { tool: facts, request, onStep, read: (result) => readMcpAnswer(facts, result) });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { failure } = answers;
    if (failure !== undefined) throw failure;
    const told = visibleRecord(error.message);
    throw new CommandError(error.kind === "unreachable" ? `${url}: ${told}` : told);
  } finally {
    await service.close().catch(() => {});
  }
}

interface Piece {
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly resource?: { readonly blob?: string; readonly mimeType?: string };
}

/**
 * Converts an MCP result for display: in the same form as over REST if the kind of the result is known, otherwise as
 * the file or the texts that the result contains.
 */
async function readMcpAnswer({ kind }: ToolFacts, result: WireResult): Promise<CallAnswer> {
  if (result.kind !== "json") return readAnswer(result);
  const { value } = result;
  if (typeof value === "string") return { ok: true, text: value };
  const { content } = Object(value) as { readonly content?: unknown };
  if (kind !== "content" || !Array.isArray(content)) return readAnswer(result);
  const pieces = content as readonly Piece[];
  const file = pieces.find(({ data, resource }) => (data ?? resource?.blob) !== undefined);
  if (file === undefined) return { ok: true, text: pieces.map(({ text = "" }) => text).join("\n") };
  const { data, mimeType, resource } = file;
  const bytes = Buffer.from(data ?? resource?.blob ?? "", "base64");
  return { ok: true, text: mimeType ?? resource?.mimeType ?? "", bytes };
}

/** The requests of a client, and the failure of its last request, in words for the user of a command. */
interface WatchedAnswers {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Undefined if the last request was answered with MCP. */
  readonly failure: Error | undefined;
}

/** A client tries several requests with a server, so an answer counts as a failure only if no other answer follows. */
function watchAnswers(): WatchedAnswers {
  let failure: Error | undefined;
  return {
    async fetch(url, init) {
      try {
        const response = await fetchService(String(url), init);
        // Only `POST` requests count: other requests ask for a stream, which a server need not support.
        if (init?.method !== "POST") return response;
        failure = response.status === 401 ? new CommandError(needsToken) : undefined;
        if (failure !== undefined || response.status === 202 || isStream(response)) return response;
        // The text is read here, and not from a clone: of two readers, one alone cannot end an endless answer.
        const text = await readWhole(response);
        failure = failureOf(response, text);
        return new Response(text === "" ? null : text, response);
      } catch (error) {
        failure = error as Error;
        throw error;
      }
    },
    get failure() {
      return failure;
    },
  };
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

function failureOf({ status, url, headers }: Response, text: string): Error | undefined {
  const type = headers.get("content-type") ?? "no content type";
  const { jsonrpc, detail } = Object(parsed(text)) as { readonly jsonrpc?: unknown; readonly detail?: unknown };
  if (jsonrpc !== undefined) return undefined;
  // A REST answer, from a service that does not serve MCP at this address.
  if (typeof detail === "string") return new CommandError(`${url}: ${visibleLine(detail)}`);
  return new CommandError(`${url} answered ${status} with ${type}, which is not MCP: is this a tenon service?`);
}
