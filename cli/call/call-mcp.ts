import { CallError } from "../../runtime/client/call-error.ts";
import { clientTransport } from "../../runtime/client/mcp/client-transport.ts";
import { connect } from "../../runtime/client/mcp/connect.ts";
import { CommandError } from "../base/usage.ts";
import type { CallAnswer, Listener } from "./call-answer.ts";
import { readMcpAnswer } from "./read-mcp-answer.ts";
import { runCall } from "./run-call.ts";
import { watchAnswers } from "./watch-answers.ts";

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
