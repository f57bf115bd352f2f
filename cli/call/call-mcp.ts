import { CallError } from "../../runtime/client/call-error.ts";
import { clientTransport } from "../../runtime/client/mcp/client-transport.ts";
import { connect } from "../../runtime/client/mcp/connect.ts";
import { CommandError } from "../base/usage.ts";
import type { CallAnswer, Listener } from "./call-answer.ts";
import { runCall } from "./run-call.ts";
import { watchAnswers } from "./watch-answers.ts";
import type { ToolFacts, WireResult } from "../../runtime/client/transport.ts";
import { readAnswer } from "./read-answer.ts";

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
    throw new CommandError(error.kind === "unreachable" ? `${url}: ${error.message}` : error.message);
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
