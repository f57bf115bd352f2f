import { MissingCapabilityError } from "../jobs/question.ts";
import { ToolError } from "../errors.ts";
import type { Job, JobOutcome } from "../jobs/job.ts";
import { describeThrown } from "../telemetry/describe-thrown.ts";
import { getLogger } from "../telemetry/logging.ts";
import type { Tool } from "../tool.ts";
import { createCallRunner } from "./call-runner.ts";
import type { CallRunner, CallRunnerOptions, CallState } from "./call-runner.ts";
import { describeTool } from "./describe-tool.ts";
import { faultCodes, McpFault } from "./fault.ts";
import { findHeaderParameters } from "./header-parameters.ts";
import { createJobTools } from "./job-tools.ts";
import type { JobTools } from "./job-tools.ts";
import { offerPort } from "./offer-port.ts";
import { pageList } from "./page-list.ts";
import type {
  McpCallContext,
  McpPort,
  McpServerInfo,
  McpToolAnswer,
  McpToolDescriptor,
  McpToolResult,
} from "./port.ts";
import { renderError } from "./render-error.ts";
import { renderResult } from "./render-result.ts";
import { canTask, createTaskPort, requireTasks } from "./task-port.ts";
import type { TaskJobs, TaskPort } from "./task-port.ts";

/** A build's tool list never changes, so clients may keep it for an hour; longer would outlive a deployment. */
const defaultToolsTtl = 3_600_000;
const defaultWait = 5;
/** Milliseconds in which a tool with `@task` may still end, or ask its first question, before it becomes a task. */
const firstMoment = 20;

export interface ToolPortOptions extends CallRunnerOptions {
  readonly info: McpServerInfo;
  readonly instructions?: string;
  /** In the order in which `tools/list` shows them. */
  readonly tools: readonly Tool[];
  /** Prompts and resources. They must be runnable by `start`, too. */
  readonly offers?: readonly Tool[];
  /** Where jobs are found again; without it no call becomes a task. */
  readonly jobs?: TaskJobs;
  /** Adds `job_status`, `job_result` and `job_cancel`, and answers long calls of clients without tasks with a job id. */
  readonly jobTools?: boolean;
  /** Entries per page of a list; default all, because many clients never ask for a second page. */
  readonly pageSize?: number;
  /** Milliseconds that clients may keep the lists; default one hour. */
  readonly toolsTtl?: number;
}

/** The functions of a service as MCP engines see them: every call is a job like any other. */
export function createToolPort(options: ToolPortOptions): McpPort {
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const jobTools =
    options.jobs === undefined || options.jobTools !== true
      ? undefined
      : createJobTools(options.jobs, (job, outcome) => renderEnd({ job, outcome }));
  const descriptors = [
    ...options.tools.map((tool) => (jobTools === undefined ? describeTool(tool) : withoutOutput(tool))),
    // A service's own tool of that name goes before.
    ...(jobTools?.descriptors ?? []).filter(({ name }) => !tools.has(name)),
  ];
  const headers = new Map(
    options.tools.map((tool) => [tool.name, findHeaderParameters(tool.definition.mcp.inputSchema)]),
  );
  const runner = createCallRunner(options);
  const tasks = options.jobs === undefined ? undefined : createTaskPort(options.jobs);
  return {
    info: options.info,
    ...(options.instructions !== undefined && { instructions: options.instructions }),
    toolsTtl: options.toolsTtl ?? defaultToolsTtl,
    listTools(cursor) {
      const { page, nextCursor } = pageList(descriptors, ({ name }) => name, options.pageSize, cursor);
      return { tools: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    headerParameters: (tool) => headers.get(tool) ?? [],
    callTool(name, args, context) {
      const tool = tools.get(name);
      const own = tool === undefined ? jobTools?.call(name, args, context) : undefined;
      if (own !== undefined) return own;
      if (tool === undefined) return Promise.reject(new McpFault(faultCodes.invalidParams, `Unknown tool: ${name}`));
      return callTool(tool, args, context, { runner, tasks, jobTools });
    },
    ...(tasks !== undefined && { tasks }),
    ...offerPort(options.offers ?? [], runner, options.pageSize),
  };
}

/** A long call may be answered with a job id, which no output schema allows. */
function withoutOutput(tool: Tool): McpToolDescriptor {
  const { outputSchema, ...rest } = describeTool(tool);
  return tool.definition.mcp.task !== "never" || outputSchema === undefined ? rest : { ...rest, outputSchema };
}

interface CallParts {
  readonly runner: CallRunner;
  readonly tasks: TaskPort | undefined;
  readonly jobTools: JobTools | undefined;
}

async function callTool(
  tool: Tool,
  args: Parameters<McpPort["callTool"]>[1],
  context: McpCallContext,
  { runner, tasks, jobTools }: CallParts,
): Promise<McpToolAnswer> {
  const mode = tool.definition.mcp.task;
  const hasTasks = canTask(context);
  if (mode === "required" && jobTools === undefined) requireTasks(context);
  const mayTask = tasks !== undefined && mode !== "never" && (hasTasks || jobTools !== undefined);
  const wait = mode === undefined ? (tool.options.maxWaitTime ?? defaultWait) * 1000 : firstMoment;
  let state: CallState;
  try {
    state = await runner.run(tool, args, context, mayTask ? wait : undefined);
  } catch (thrown) {
    if (thrown instanceof McpFault) throw thrown;
    return renderError(ToolError.from(thrown), undefined);
  }
  switch (state.kind) {
    case "asks":
      return state.answer;
    case "goes-on": {
      const task = await createTask(state, tasks);
      return hasTasks || jobTools === undefined || "content" in task ? task : jobTools.goesOn(state.job);
    }
    case "ended":
      return renderEnd(state);
  }
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

async function renderEnd({
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
    // The job itself went well: only reading the stream that it gave can fail.
    return renderUnreadable(job, ToolError.from(thrown));
  }
}

function renderUnreadable(job: Job, error: ToolError): McpToolResult {
  getLogger("tenon").error(
    { job_id: job.id, tool: job.tool.name, kind: error.kind, error: describeThrown(error.cause ?? error) },
    "result could not be sent",
  );
  return renderError(error, job.id);
}

/** What the protocol wants to hear when a call relies on something that the client has not declared. */
export function missingCapability({ message, capability }: MissingCapabilityError): McpFault {
  return new McpFault(faultCodes.missingCapability, message, { requiredCapabilities: { [capability]: {} } });
}
