import { CallError } from "../../runtime/client/call-error.ts";
import type { ToolFacts, Transport, WireResult } from "../../runtime/client/transport.ts";
import type { CallAnswer, Listener } from "./call-answer.ts";
import { describeEvent } from "./describe-event.ts";

export interface Call {
  readonly tool: ToolFacts;
  readonly request: unknown;
  readonly onStep: Listener;
  readonly read: (result: WireResult) => Promise<CallAnswer>;
}

/**
 * Runs a tool as a job, prints its events while it runs, and reads its answer; Ctrl-C cancels the job. Rejects if no
 * service answers.
 */
export async function runCall(service: Transport, { tool, request, onStep, read }: Call): Promise<CallAnswer> {
  try {
    const job = await service.start(tool, JSON.stringify(request), {});
    const cancel = (): void => void job.cancel().catch(() => {});
    process.once("SIGINT", cancel);
    try {
      for await (const { data } of job.events(0, undefined)) onStep(describeEvent(data));
      return await read(await job.result(undefined));
    } finally {
      process.removeListener("SIGINT", cancel);
    }
  } catch (error) {
    if (!(error instanceof CallError) || error.kind === "unreachable" || error.kind === "unexpected") throw error;
    return { ok: false, text: error.message };
  }
}
