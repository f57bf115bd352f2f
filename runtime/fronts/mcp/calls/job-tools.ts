import type { JsonObject } from "../../../contract/contract.ts";
import { waitText } from "../../../contract/wait-text.ts";
import { ToolError } from "../../../base/errors.ts";
import { parseJobId } from "../../../job/job-id.ts";
import type { Job, JobOutcome } from "../../../job/job.ts";
import type { McpToolResult } from "../port/answers.ts";
import { defaultWait } from "../../../service/tools/tool-options.ts";
import { longestWait } from "../lists/job-tool-descriptors.ts";
import type { McpCallContext } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import type { MessageSender } from "../../../job/steps/message.ts";
import { sees } from "../../http/identity.ts";
import { missingScopes, type TaskJobs } from "./task-port.ts";
import { lastProgress, statusText } from "./status-text.ts";

/** Tools for following long calls, for clients that do not support tasks. */
export interface JobTools {
  /** Answers a call of one of the job tools; undefined for any other name. */
  call(name: string, args: JsonObject, context: McpCallContext): Promise<McpToolResult> | undefined;
  /** The answer to a call whose job continues: it gives the id to poll. */
  goesOn(job: Job): McpToolResult;
}

/**
 * Creates the job tools.
 *
 * @param renderEnd Renders the result of a job as the call itself would.
 */
export function createJobTools(
  jobs: TaskJobs,
  renderEnd: (job: Job, outcome: JobOutcome) => Promise<McpToolResult>,
): JobTools {
  const find = async (args: JsonObject, context: McpCallContext): Promise<Job> => {
    const id = typeof args["jobId"] === "string" ? parseJobId(args["jobId"]) : undefined;
    const job = id === undefined ? undefined : await jobs.find(id, context.owner);
    if (job === undefined) throw new ToolError("not-found", "The job does not exist, or has expired.");
    const missing = missingScopes(job, context);
    if (missing !== undefined) throw new ToolError("insufficient-scope", missing);
    return job;
  };
  const tools: Readonly<Record<string, (args: JsonObject, context: McpCallContext) => Promise<McpToolResult>>> = {
    job_status: async (args, context) => describe(await find(args, context)),
    async job_result(args, context) {
      const job = await find(args, context);
      const seconds = typeof args["wait"] === "number" ? Math.min(Math.max(args["wait"], 0), longestWait) : defaultWait;
      const outcome = job.outcome ?? (await endWithin(job, seconds * 1000, context.signal));
      return outcome === undefined ? goesOn(job) : renderEnd(job, outcome);
    },
    async job_send(args, context) {
      const { name, key, message } = args;
      const id = typeof args["jobId"] === "string" ? parseJobId(args["jobId"]) : undefined;
      if (id === undefined) throw new ToolError("not-found", "The job does not exist, or has expired.");
      if (typeof name !== "string") throw new ToolError("bad-request", "The message needs its `name`.");
      const sent = { id, name, key: typeof key === "string" ? key : undefined, body: message ?? null };
      await jobs.send(sent, senderOf(context));
      const told = { jobId: id, message: name, status: "sent" };
      return { content: [{ type: "text", text: JSON.stringify(told) }], structuredContent: told };
    },
    async job_cancel(args, context) {
      const job = await find(args, context);
      return describe((await jobs.cancel(job.id, "The caller cancelled the job.", context.owner)) ?? job);
    },
  };
  return {
    call(name, args, context) {
      if (!Object.hasOwn(tools, name)) return undefined;
      return tools[name]?.(args, context).catch((thrown: unknown) => renderError(ToolError.from(thrown), undefined));
    },
    goesOn,
  };
}

function describe(job: Job): McpToolResult {
  const message = statusText(job);
  const status = { jobId: job.id, status: job.state, ...(message !== undefined && { message }) };
  return { content: [{ type: "text", text: JSON.stringify(status) }], structuredContent: status };
}

function goesOn(job: Job): McpToolResult {
  const [wait, progress] = [waitText(job.waitsFor), lastProgress(job)];
  const running = `is still running${progress === undefined ? "" : ` (${progress})`}.`;
  const text =
    `The job ${job.id} ${wait === undefined ? running : `has not ended. ${wait}`} ` +
    "Call `job_result` with this `jobId` for its result, `job_status` for its state, or `job_cancel` to end it.";
  return { content: [{ type: "text", text }], structuredContent: { jobId: job.id, status: job.state } };
}

function senderOf({ owner, scopes, caller }: McpCallContext): MessageSender | undefined {
  if (owner === undefined) return undefined;
  return {
    owner,
    subject: caller?.subject,
    require(needed) {
      if (!sees(scopes, needed))
        throw new ToolError("insufficient-scope", `The message needs a token with the scope ${needed.join(" ")}.`);
    },
  };
}

async function endWithin(job: Job, ms: number, signal: AbortSignal): Promise<JobOutcome | undefined> {
  let stop: (() => void) | undefined;
  const over = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    stop = () => clearTimeout(timer);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    return await Promise.race([job.done, over]);
  } finally {
    stop?.();
  }
}
