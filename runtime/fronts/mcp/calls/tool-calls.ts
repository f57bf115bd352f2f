import { ToolError } from "../../../base/errors.ts";
import type { Job, JobOutcome } from "../../../job/job.ts";
import { MissingCapabilityError } from "../../../job/question.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { CallRunner, CallState } from "./call-runner.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import type { JobTools } from "./job-tools.ts";
import type { McpToolAnswer, McpToolResult } from "../port/answers.ts";
import type { McpPort, McpStartContext } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import { renderResult } from "../results/render-result.ts";
import { createCallStarter } from "./start-call.ts";
import { canTask, requireTasks } from "./task-port.ts";
import type { TaskPort } from "./task-port.ts";

const defaultWait = 5;
/** Milliseconds in which a tool with `@task` may still end, or ask its first question, before it becomes a task. */
const firstMoment = 20;

export interface ToolCallsOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly runner: CallRunner;
  readonly tasks: TaskPort | undefined;
  readonly jobTools: JobTools | undefined;
}

/** How calls of tools are answered, by a promise and without one. */
export function createToolCalls({
  tools,
  runner,
  tasks,
  jobTools,
}: ToolCallsOptions): Pick<McpPort, "callTool" | "startCall"> {
  const mayTask = (tool: Tool, context: McpStartContext): boolean =>
    tasks !== undefined && tool.definition.mcp.task !== "never" && (canTask(context) || jobTools !== undefined);

  /** Milliseconds that a caller waits before the call becomes a task; undefined: to the end. */
  const patienceOf = (tool: Tool, context: McpStartContext): number | undefined => {
    if (!mayTask(tool, context)) return undefined;
    return tool.definition.mcp.task === undefined ? (tool.options.maxWaitTime ?? defaultWait) * 1000 : firstMoment;
  };

  const answer = async (state: CallState, context: McpStartContext): Promise<McpToolAnswer> => {
    switch (state.kind) {
      case "asks":
        return state.answer;
      case "goes-on": {
        const task = await createTask(state, tasks);
        return canTask(context) || jobTools === undefined || "content" in task ? task : jobTools.goesOn(state.job);
      }
      case "ended":
        return renderEnd(state);
    }
  };

  const callTool: McpPort["callTool"] = async (name, args, context) => {
    const tool = tools.get(name);
    const own = tool === undefined ? jobTools?.call(name, args, context) : undefined;
    if (own !== undefined) return own;
    if (tool === undefined) throw new McpFault(faultCodes.invalidParams, `Unknown tool: ${name}`);
    if (tool.definition.mcp.task === "required" && jobTools === undefined) requireTasks(context);
    let state: CallState;
    try {
      state = await runner.run(tool, args, context, patienceOf(tool, context));
    } catch (thrown) {
      if (thrown instanceof McpFault) throw thrown;
      return renderError(ToolError.from(thrown), undefined);
    }
    return answer(state, context);
  };

  return {
    callTool,
    startCall: createCallStarter({
      runner,
      find(name) {
        const tool = tools.get(name);
        return tool?.definition.mcp.task === undefined ? tool : undefined;
      },
      callTool,
      renderEnd,
      mayTask,
      goOn: async (call, args, context) =>
        answer(await runner.wait(call, args, context, patienceOf(call.job.tool, context)), context),
    }),
  };
}

async function createTask(
  { job, conversation }: Extract<CallState, { kind: "goes-on" }>,
  tasks: TaskPort | undefined,
): Promise<McpToolAnswer> {
  if (tasks === undefined) throw new Error("A call was left to a task, and there are none.");
  try {
    return await tasks.create(job, conversation);
  } catch (thrown) {
    job.cancel("The job could not be kept.");
    return renderError(ToolError.from(thrown), job.id);
  }
}

/** The result of a job that has ended. @throws McpFault when its client lacks a capability */
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
    // The job itself went well: only reading the stream that it gave can fail, and the job has logged that.
    return renderError(ToolError.from(thrown), job.id);
  }
}

/** What the protocol wants to hear when a call relies on something that the client has not declared. */
export function missingCapability({ message, capability }: MissingCapabilityError): McpFault {
  return new McpFault(faultCodes.missingCapability, message, { requiredCapabilities: { [capability]: {} } });
}
