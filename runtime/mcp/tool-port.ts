import type { Tool } from "../tool.ts";
import { createCallRunner } from "./call-runner.ts";
import type { CallRunnerOptions } from "./call-runner.ts";
import { describeTool } from "./describe-tool.ts";
import { findHeaderParameters } from "./header-parameters.ts";
import { createJobTools } from "./job-tools.ts";
import { offerPort } from "./offer-port.ts";
import { pageList } from "./page-list.ts";
import { isScoped, scopeFinder, visibleTo } from "./scoped.ts";
import type { Listed } from "./scoped.ts";
import type { McpPort, McpServerInfo, McpToolDescriptor } from "./port.ts";
import { createTaskPort } from "./task-port.ts";
import type { TaskJobs } from "./task-port.ts";
import { createToolCalls, renderEnd } from "./tool-calls.ts";

/** A build's tool list never changes, so clients may keep it for an hour; longer would outlive a deployment. */
const defaultToolsTtl = 3_600_000;

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
  /** Callers are authenticated, so that `@scope` means something. */
  readonly hasCallers?: boolean;
  /** The lists may become others while the process lives. */
  readonly mayChange?: boolean;
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
  const { offers = [] } = options;
  const entries: readonly Listed<McpToolDescriptor>[] = [
    ...options.tools.map((tool) => ({
      entry: jobTools === undefined ? describeTool(tool) : withoutOutput(tool),
      scopes: tool.definition.scopes,
    })),
    // A service's own tool of that name goes before.
    ...(jobTools?.descriptors ?? []).filter(({ name }) => !tools.has(name)).map((entry) => ({ entry })),
  ];
  const descriptors = visibleTo(entries);
  const headers = new Map(
    options.tools.map((tool) => [tool.name, findHeaderParameters(tool.definition.mcp.inputSchema)]),
  );
  const runner = createCallRunner(options);
  const tasks = options.jobs === undefined ? undefined : createTaskPort(options.jobs);
  return {
    info: options.info,
    ...(options.instructions !== undefined && { instructions: options.instructions }),
    toolsTtl: options.toolsTtl ?? (options.mayChange === true ? 0 : defaultToolsTtl),
    ...(options.mayChange === true && { mayChange: true }),
    listScope: options.hasCallers === true && isScoped([...options.tools, ...offers]) ? "private" : "public",
    scopesOf: scopeFinder(options.tools, offers),
    listTools(cursor, scopes) {
      const { page, nextCursor } = pageList(descriptors(scopes), ({ name }) => name, options.pageSize, cursor);
      return { tools: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    headerParameters: (tool) => headers.get(tool) ?? [],
    ...createToolCalls({ tools, runner, tasks, jobTools }),
    ...(tasks !== undefined && { tasks }),
    ...offerPort(offers, runner, options.pageSize),
  };
}

/** A long call may be answered with a job id, which no output schema allows. */
function withoutOutput(tool: Tool): McpToolDescriptor {
  const { outputSchema, ...rest } = describeTool(tool);
  return tool.definition.mcp.task !== "never" || outputSchema === undefined ? rest : { ...rest, outputSchema };
}
