import type { JsonObject } from "../../../contract/contract.ts";
import { ToolError } from "../../../base/errors.ts";
import type { Job, JobOutcome, JobResult, JobUrn } from "../../../job/job.ts";
import { MissingCapabilityError } from "../../../job/question.ts";
import { defaultWait } from "../../../service/tools/tool-options.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { McpCallEnd, McpResultText, McpToolAnswer, McpToolResult } from "../port/answers.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import type { CancelCall, McpPort, McpStartContext } from "../port/port.ts";
import { reportEngineError } from "../port/report-engine-error.ts";
import { artifactPrefix } from "../results/artifact-links.ts";
import { renderError } from "../results/render-error.ts";
import { renderResult } from "../results/render-result.ts";
import type { CallState, RunCall } from "./call-runner.ts";
import type { JobTools } from "./job-tools.ts";
import type { ToolSearch } from "./search-tools.ts";
import { canTask, tasksRequired, type TaskPort } from "./task-port.ts";

/** Milliseconds to wait for the end or the first question of a tool with `@task` before its call becomes a task. */
const firstMoment = 20;

export interface ToolCallsOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly run: RunCall;
  readonly tasks: TaskPort | undefined;
  readonly jobTools: JobTools | undefined;
  /** Set when tools are searched for instead of listed. */
  readonly search: ToolSearch | undefined;
}

type Done = (end: McpCallEnd) => void;

/** Handles calls of tools; usually without a promise. */
export function createToolCalls({ tools, run, tasks, jobTools, search }: ToolCallsOptions): McpPort["startCall"] {
  /** Milliseconds for which a caller waits before the call becomes a task; undefined: until the end. */
  const patienceOf = ({ definition, options }: Tool, context: McpStartContext): number | undefined => {
    const { task } = definition.mcp;
    if (tasks === undefined || task === "never") return undefined;
    // Checked first, since most clients declare no extensions.
    const isTold = context.capabilities?.["extensions"] !== undefined && canTask(context);
    if (!isTold && jobTools === undefined) return undefined;
    return task === undefined ? (options.maxWaitTime ?? defaultWait) * 1000 : firstMoment;
  };

  const goOn = async (
    state: Extract<CallState, { kind: "goes-on" }>,
    context: McpStartContext,
  ): Promise<McpToolAnswer> => {
    const task = await createTask(state, tasks);
    return canTask(context) || jobTools === undefined || "content" in task ? task : jobTools.goesOn(state.job);
  };

  const answer = (state: CallState, context: McpStartContext, done: Done): void => {
    switch (state.kind) {
      case "ended": {
        const { job, outcome } = state;
        const text = outcome.state === "succeeded" ? resultText(job.tool, outcome.result, job.id) : undefined;
        if (text === undefined) settle(renderEnd(state), done);
        else done(text);
        return;
      }
      case "asks":
        done(state.answer);
        return;
      case "goes-on":
        settle(goOn(state, context), done);
        return;
      case "refused":
        done(refusal(state.thrown));
    }
  };

  /** Handles a call of a job tool, of a search tool, or of an unknown tool. */
  const startOther = (name: string, args: JsonObject, context: McpStartContext, done: Done): CancelCall => {
    const inner = search?.calledBy(name, args);
    if (inner !== undefined) return startCall(inner.name, inner.args, context, done);
    const gone = new AbortController();
    const answered =
      search?.answer(name, args, context) ?? jobTools?.call(name, args, { ...context, signal: gone.signal });
    if (answered === undefined) done(new McpFault(faultCodes.invalidParams, `Unknown tool: ${name.slice(0, 200)}`));
    else settle(answered, done);
    return () => gone.abort();
  };

  const startCall: McpPort["startCall"] = (name, args, context, done) => {
    const tool = tools.get(name);
    if (tool === undefined) return startOther(name, args, context, done);
    if (tool.definition.mcp.task === "required" && jobTools === undefined && !canTask(context)) {
      done(tasksRequired());
      return nothing;
    }
    return run(tool, args, context, patienceOf(tool, context), (state) => answer(state, context, done));
  };
  return startCall;
}

function settle(answer: Promise<McpToolAnswer>, done: Done): void {
  answer.then(done, (thrown: unknown) => {
    if (!(thrown instanceof McpFault)) reportEngineError(thrown);
    done(thrown instanceof McpFault ? thrown : new McpFault(faultCodes.internalError, "Internal error"));
  });
}

function refusal(thrown: unknown): McpCallEnd {
  return thrown instanceof McpFault ? thrown : renderError(ToolError.from(thrown), undefined);
}

function nothing(): void {}

async function createTask(
  { job }: Extract<CallState, { kind: "goes-on" }>,
  tasks: TaskPort | undefined,
): Promise<McpToolAnswer> {
  if (tasks === undefined) throw new Error("A call was left to a task, and there are none.");
  try {
    return await tasks.create(job);
  } catch (thrown) {
    job.cancel("The job could not be kept.");
    return renderError(ToolError.from(thrown), job.id);
  }
}

/**
 * Returns the same answer as `renderResult`, but as text and without parsing existing JSON. Undefined for results that
 * need more work: binary content, content blocks, summaries, artifacts.
 */
function resultText({ definition, options }: Tool, result: JobResult, jobId: JobUrn): McpResultText | undefined {
  const { result: declared, mcp } = definition;
  if (result.kind === "text") {
    const text = JSON.stringify(result.text);
    const block = `"content":[{"type":"text","text":${text}}]`;
    if (mcp.outputSchema === undefined) return { members: block, jobId };
    return mcp.wrapped === true ? { members: `${block},"structuredContent":{"result":${text}}`, jobId } : undefined;
  }
  if (result.kind !== "json" || declared.kind !== "json" || (options.text ?? "json") !== "json") return undefined;
  const { json } = result;
  if (json.includes(artifactPrefix)) return undefined;
  const block = `"content":[{"type":"text","text":${JSON.stringify(json)}}]`;
  if (mcp.wrapped === true) return { members: `${block},"structuredContent":{"result":${json}}`, jobId };
  // A result that is not an object is left to `renderResult`, since each revision of the protocol writes it
  // differently.
  return json.startsWith("{") ? { members: `${block},"structuredContent":${json}`, jobId } : undefined;
}

/**
 * Renders the result of an ended job.
 *
 * @throws McpFault when its client lacks a capability
 */
export async function renderEnd({
  job,
  outcome,
}: {
  readonly job: Job;
  readonly outcome: JobOutcome;
}): Promise<McpToolResult> {
  if (outcome.state !== "succeeded") {
    if (outcome.error instanceof MissingCapabilityError) throw missingCapability(outcome.error);
    return renderError(outcome.error, job.id);
  }
  try {
    return await renderResult(job.tool, outcome.result, job.id);
  } catch (thrown) {
    // The job itself has succeeded: only reading its stream can fail, and the job has logged that failure.
    return renderError(ToolError.from(thrown), job.id);
  }
}

/** The protocol's error for a call that needs a capability which the client has not declared. */
export function missingCapability({ message, capability }: MissingCapabilityError): McpFault {
  return new McpFault(faultCodes.missingCapability, message, { requiredCapabilities: { [capability]: {} } });
}
