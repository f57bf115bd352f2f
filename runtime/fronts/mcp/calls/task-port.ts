import { statusText } from "./status-text.ts";
import type { Message } from "../../../executor/kept/send-message.ts";
import type { MessageSender } from "../../../job/steps/message.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import { ToolError } from "../../../base/errors.ts";
import { sees } from "../../http/identity.ts";
import { parseJobId } from "../../../job/job-id.ts";
import type { Job, JobEvent, JobUrn } from "../../../job/job.ts";
import { tasksExtension } from "../port/capabilities.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpTask, McpTaskState } from "../port/answers.ts";
import type { McpCallContext, McpStartContext, McpTasks } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import { renderResult } from "../results/render-result.ts";

const defaultTtl = 3600;
const defaultPollInterval = 3;
/**
 * Maximum number of tasks for which the time of the last change is stored; older tasks get the time of their last
 * event.
 */
const mostRemembered = 10_000;

/** The parts of the executor that tasks use. */
export interface TaskJobs {
  keep(job: Job): Promise<void>;
  find(id: JobUrn, owner?: string): Promise<Job | undefined>;
  cancel(id: JobUrn, reason: string, owner?: string): Promise<Job | undefined>;
  answer(id: JobUrn, answers: JsonObject, owner?: string): Promise<boolean>;
  send(message: Message, sender?: MessageSender): Promise<boolean>;
}

/** Calls that continue without their client: the same jobs, ids and store as over REST. */
export interface TaskPort extends McpTasks {
  /** Makes a running job a task, which can be found as soon as this resolves. */
  create(job: Job): Promise<McpTask>;
}

interface Entry {
  changed: number;
}

/** Creates the tasks of a service. */
export function createTaskPort(jobs: TaskJobs): TaskPort {
  const entries = new Map<JobUrn, Entry>();

  const find = async (taskId: string, context: McpCallContext): Promise<Job> => {
    if (!canTask(context)) throw tasksRequired();
    const id = parseJobId(taskId);
    const job = id === undefined ? undefined : await jobs.find(id, context.owner);
    if (job === undefined || job.tool.definition.kind !== undefined) throw unknownTask(taskId);
    const missing = missingScopes(job, context);
    if (missing !== undefined) throw new McpFault(faultCodes.refused, missing);
    return job;
  };

  return {
    async create(job) {
      await jobs.keep(job);
      const entry: Entry = { changed: Date.now() };
      entries.set(job.id, entry);
      const [oldest] = entries.keys();
      if (entries.size > mostRemembered && oldest !== undefined) entries.delete(oldest);
      job.onEnd(() => (entry.changed = Date.now()));
      return describe(job, entry);
    },
    async get(taskId, context) {
      const job = await find(taskId, context);
      return withOutcome(job, describe(job, entries.get(job.id)));
    },
    async update(taskId, inputResponses, context) {
      const job = await find(taskId, context);
      if (job.outcome !== undefined || !isObject(inputResponses)) return;
      try {
        await jobs.answer(job.id, inputResponses as JsonObject, context.owner);
      } catch (thrown) {
        const { kind, message } = ToolError.from(thrown);
        throw kind === "too-large" ? new McpFault(faultCodes.invalidParams, message) : thrown;
      }
    },
    async cancel(taskId, context) {
      const job = await find(taskId, context);
      await jobs.cancel(job.id, "The client cancelled the task.", context.owner);
    },
  };
}

/** True when the client supports tasks. */
export function canTask({ capabilities }: McpStartContext): boolean {
  const extensions = capabilities?.["extensions"];
  return isObject(extensions) && isObject(extensions[tasksExtension]);
}

/** The error for a client that has not declared the extension. */
export function tasksRequired(): McpFault {
  return new McpFault(
    faultCodes.missingCapability,
    `This needs a client that declares the extension ${tasksExtension}.`,
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  );
}

/**
 * Returns the scopes that a caller lacks for its own job, because it may no longer call the tool; undefined if none is
 * missing.
 */
export function missingScopes({ tool }: Job, context: McpCallContext): string | undefined {
  const { scopes } = tool.definition;
  if (scopes === undefined || sees(context.scopes, scopes)) return undefined;
  return `The job is one of a tool that needs a token with the scope ${scopes.join(" ")}.`;
}

function describe(job: Job, entry: Entry | undefined): McpTask {
  const events: JobEvent[] = [];
  job.onEvent((event) => events.push(event))();
  const last = events.at(-1);
  const createdAt = timeOf(job.id) ?? events[0]?.timestamp ?? new Date(entry?.changed ?? Date.now()).toISOString();
  const changed = [createdAt, last?.timestamp ?? "", entry === undefined ? "" : new Date(entry.changed).toISOString()];
  const { options } = job.tool;
  return {
    taskId: job.id,
    status: statusOf(job),
    ...(job.outcome === undefined && progressOf(job)),
    createdAt,
    lastUpdatedAt: changed.toSorted().at(-1) ?? createdAt,
    ttlMs: Math.round((options.executorOpts?.jobCacheTtl ?? defaultTtl) * 1000),
    pollIntervalMs: Math.round((options.refreshInterval ?? defaultPollInterval) * 1000),
  };
}

function statusOf({ outcome, questions }: Job): McpTask["status"] {
  switch (outcome?.state) {
    case undefined:
      return questions === undefined ? "working" : "input_required";
    case "succeeded":
    case "failed":
      return "completed";
    case "error":
      return "failed";
    case "cancelled":
      return "cancelled";
  }
}

async function withOutcome(job: Job, task: McpTask): Promise<McpTaskState> {
  const { outcome, questions } = job;
  if (outcome === undefined) return { ...task, ...(questions !== undefined && { inputRequests: questions }) };
  switch (outcome.state) {
    case "succeeded":
      try {
        return { ...task, result: await renderResult(job.tool, outcome.result, job.id) };
      } catch (thrown) {
        return { ...task, result: renderError(ToolError.from(thrown), job.id) };
      }
    case "failed":
      return { ...task, result: renderError(outcome.error, job.id) };
    case "error":
      return { ...task, error: { code: faultCodes.internalError, message: outcome.error.message } };
    case "cancelled":
      return { ...task, statusMessage: outcome.error.message };
  }
}

/** Returns the creation time in an id; undefined for an id that is not a UUIDv7, as those of tenon are. */
function timeOf(id: JobUrn): string | undefined {
  const [, high = "", low = ""] = /^urn:platform:job:([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(id) ?? [];
  return high === "" ? undefined : new Date(Number.parseInt(high + low, 16)).toISOString();
}

function unknownTask(taskId: string): McpFault {
  return new McpFault(faultCodes.invalidParams, "The task does not exist, or has expired.", { taskId });
}

function progressOf(job: Job): { readonly statusMessage?: string } {
  const message = statusText(job);
  return message === undefined ? {} : { statusMessage: message };
}
