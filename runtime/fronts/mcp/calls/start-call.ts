import type { JsonObject } from "../../../contract/contract.ts";
import { ToolError } from "../../../base/errors.ts";
import type { Job, JobOutcome } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { CallRunner, RunningCall } from "./call-runner.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { progressMessage } from "./forward-progress.ts";
import type { McpCallEnd, McpToolAnswer } from "../port/answers.ts";
import type { McpCallContext, McpPort, McpStartContext } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import { reportEngineError } from "../port/report-engine-error.ts";
import { resultText } from "../results/result-text.ts";

type StartCall = McpPort["startCall"];
type Done = Parameters<StartCall>[3];

export interface CallStarterOptions {
  readonly runner: CallRunner;
  /** The tool of a name, if a call of it can be started without a promise. */
  readonly find: (name: string) => Tool | undefined;
  /** Any call, by a promise. */
  readonly callTool: McpPort["callTool"];
  /** Whether the call of such a client becomes a task when it takes long. */
  readonly mayTask: (tool: Tool, context: McpStartContext) => boolean;
  readonly renderEnd: (end: { readonly job: Job; readonly outcome: JobOutcome }) => Promise<McpToolAnswer>;
  /** Waits for a call that may take several steps. */
  readonly goOn: (call: RunningCall, args: JsonObject, context: McpCallContext) => Promise<McpToolAnswer>;
}

/** Calls without a promise where none is needed, which is nearly always; else the same call by a promise. */
export function createCallStarter(options: CallStarterOptions): StartCall {
  const { runner, find, callTool, mayTask, renderEnd, goOn } = options;

  const settle = (answer: (signal: AbortSignal) => Promise<McpToolAnswer>, done: Done): (() => void) => {
    const gone = new AbortController();
    answer(gone.signal).then(done, (thrown: unknown) => done(asFault(thrown)));
    return () => gone.abort();
  };

  const end = (job: Job, outcome: JobOutcome, done: Done): void => {
    const text = outcome.state === "succeeded" ? resultText(job.tool, outcome.result, job.id) : undefined;
    if (text !== undefined) done(text);
    else settle(() => renderEnd({ job, outcome }), done);
  };

  return (name, args, context, done) => {
    const tool = find(name);
    if (tool === undefined) return settle((signal) => callTool(name, args, { ...context, signal }), done);
    let call: RunningCall | Promise<RunningCall>;
    try {
      call = runner.begin(tool, args, context);
    } catch (thrown) {
      done(refusal(thrown));
      return nothing;
    }
    if (call instanceof Promise) {
      const begun = call;
      return settle(async (signal) => {
        try {
          return await goOn(await begun, args, { ...context, signal });
        } catch (thrown) {
          if (thrown instanceof McpFault) throw thrown;
          return renderError(ToolError.from(thrown), undefined);
        }
      }, done);
    }
    const { job, conversation } = call;
    if (job.outcome !== undefined) {
      follow(job, context);
      end(job, job.outcome, done);
      return nothing;
    }
    const running = call;
    if (mayTask(tool, context)) return settle((signal) => goOn(running, args, { ...context, signal }), done);
    const stopFollowing = follow(job, context);
    let cancel = (): void => job.cancel("The client cancelled the call.");
    let asked = false;
    job.onEnd((outcome) => {
      if (!asked) end(job, outcome, done);
    });
    conversation.onQuestion(() => {
      if (asked) return;
      asked = true;
      stopFollowing?.();
      const { notifyProgress: _, log: __, ...rest } = context;
      cancel = settle((signal) => goOn(running, args, { ...rest, signal }), done);
    });
    return () => cancel();
  };
}

/** Hands on what a job says, beginning with what it has said already. */
function follow(job: Job, { notifyProgress, log }: McpStartContext): (() => void) | undefined {
  if (notifyProgress !== undefined)
    return job.onEvent((event) => void notifyProgress({ progress: event.sequence, message: progressMessage(event) }));
  if (log === undefined) return undefined;
  return job.onEvent((event) => void log("error" in event.publicBody ? "error" : "info", progressMessage(event)));
}

function refusal(thrown: unknown): McpCallEnd {
  return thrown instanceof McpFault ? thrown : renderError(ToolError.from(thrown), undefined);
}

function asFault(thrown: unknown): McpFault {
  if (thrown instanceof McpFault) return thrown;
  reportEngineError(thrown);
  return new McpFault(faultCodes.internalError, "Internal error");
}

function nothing(): void {}
