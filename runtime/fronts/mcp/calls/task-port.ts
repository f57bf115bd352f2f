import { ToolError } from "../../../base/errors.ts";
import { sees } from "../../http/caller.ts";
import { parseJobId } from "../../../job/job-id.ts";
import type { Job, JobEvent, JobUrn } from "../../../job/job.ts";
import { tasksExtension } from "../port/capabilities.ts";
import type { Conversation } from "./conversation.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { progressMessage } from "./forward-events.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpTask, McpTaskState } from "../port/answers.ts";
import type { McpCallContext, McpStartContext, McpTasks } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import { renderResult } from "../results/render-result.ts";

const defaultTtl = 3600;
const defaultPollInterval = 3;
/** Number of tasks whose last change is stored; older ones get the time of their last event. */
const mostRemembered = 10_000;

/** The parts of the executor that tasks use. */
export interface TaskJobs {
  keep(job: Job): Promise<void>;
  find(id: JobUrn, owner?: string): Promise<Job | undefined>;
  cancel(id: JobUrn, reason: string, owner?: string): Promise<Job | undefined>;
}

/** Calls that go on without their client: the same jobs, ids and store as in REST. */
export interface TaskPort extends McpTasks {
  /** Makes a running job a task. It can be found as soon as this resolves. */
  create(job: Job, conversation: Conversation): Promise<McpTask>;
}

interface Entry {
  conversation: Conversation | undefined;
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
    async create(job, conversation) {
      await jobs.keep(job);
      const entry: Entry = { conversation, changed: Date.now() };
      entries.set(job.id, entry);
      const [oldest] = entries.keys();
      if (entries.size > mostRemembered && oldest !== undefined) entries.delete(oldest);
      job.onEnd(() => {
        entry.changed = Date.now();
        entry.conversation = undefined;
      });
      void suspendWhileAsking(job, conversation);
      return describe(job, entry);
    },
    async get(taskId, context) {
      const job = await find(taskId, context);
      return withOutcome(job, describe(job, entries.get(job.id)), entries.get(job.id)?.conversation);
    },
    async update(taskId, inputResponses, context) {
      const job = await find(taskId, context);
      const conversation = entries.get(job.id)?.conversation;
      // A job of another process cannot be suspended here.
      if (job.outcome === undefined && job.suspend === undefined) throw runsElsewhere();
      conversation?.deliver(inputResponses);
      if (conversation !== undefined && conversation.requests === undefined) job.resume?.();
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
  return isRecord(extensions) && isRecord(extensions[tasksExtension]);
}

/** The error for a client that has not declared the extension. */
export function tasksRequired(): McpFault {
  return new McpFault(
    faultCodes.missingCapability,
    `This needs a client that declares the extension ${tasksExtension}.`,
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  );
}

/** Tells what a caller lacks for a job of its own, whose tool it may not call (any more); undefined: nothing. */
export function missingScopes({ tool }: Job, context: McpCallContext): string | undefined {
  const { scopes } = tool.definition;
  if (scopes === undefined || sees(context.scopes, scopes)) return undefined;
  return `The job is one of a tool that needs a token with the scope ${scopes.join(" ")}.`;
}

/** A task that waits for its user gives its place to others. */
async function suspendWhileAsking(job: Job, conversation: Conversation): Promise<void> {
  while (job.outcome === undefined) {
    await Promise.race([conversation.nextQuestion(), job.done]);
    if (job.outcome === undefined && conversation.requests !== undefined) {
      job.suspend?.();
      await Promise.race([conversation.answered(), job.done]);
    }
  }
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
    status: statusOf(job, entry?.conversation),
    ...(last !== undefined && job.outcome === undefined && { statusMessage: progressMessage(last) }),
    createdAt,
    lastUpdatedAt: changed.toSorted().at(-1) ?? createdAt,
    ttlMs: Math.round((options.executorOpts?.jobCacheTtl ?? defaultTtl) * 1000),
    pollIntervalMs: Math.round((options.refreshInterval ?? defaultPollInterval) * 1000),
  };
}

function statusOf({ outcome }: Job, conversation: Conversation | undefined): McpTask["status"] {
  switch (outcome?.state) {
    case undefined:
      return conversation?.requests === undefined ? "working" : "input_required";
    case "succeeded":
    case "failed":
      return "completed";
    case "error":
      return "failed";
    case "cancelled":
      return "cancelled";
  }
}

async function withOutcome(job: Job, task: McpTask, conversation: Conversation | undefined): Promise<McpTaskState> {
  const { outcome } = job;
  const inputRequests = conversation?.requests;
  if (outcome === undefined) return { ...task, ...(inputRequests !== undefined && { inputRequests }) };
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

/** Creation time of an id, if it contains one: our ids are UUIDv7. */
function timeOf(id: JobUrn): string | undefined {
  const [, high = "", low = ""] = /^urn:platform:job:([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(id) ?? [];
  return high === "" ? undefined : new Date(Number.parseInt(high + low, 16)).toISOString();
}

function runsElsewhere(): McpFault {
  return new McpFault(
    faultCodes.refused,
    "The task runs at another replica of the service, which alone takes its answers. Send them again.",
  );
}

function unknownTask(taskId: string): McpFault {
  return new McpFault(faultCodes.invalidParams, "The task does not exist, or has expired.", { taskId });
}
