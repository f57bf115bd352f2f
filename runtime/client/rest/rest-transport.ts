import { CallError, unexpected, isPassing, refusals } from "../call-error.ts";
import { discard, jsonHeaders, newId, type HttpRequest, type Send } from "./http.ts";
import { readJson, readResult } from "./read-answer.ts";
import { countRetries, type RetryOptions } from "./retry.ts";
import { restJob } from "./rest-job.ts";
import type { CallOptions, RemoteJob, ToolFacts, Transport, WireResult } from "../transport.ts";

/** Answer to a call: the id of its job, and the result if the job has ended. */
type Answered =
  | { readonly jobId: string | null; readonly result: WireResult }
  | { readonly jobId: unknown; readonly result?: never };

/** The body of an answer to a call whose job has not ended. */
interface PendingJob {
  readonly "job-id"?: unknown;
}

/**
 * Makes a transport to the tools of a service over its REST routes.
 *
 * @param tool Finds the properties of a tool by its name
 */
export function restTransport(send: Send, retry: RetryOptions, tool: Transport["tool"]): Transport {
  /** Posts a request. Repeats it after a failure if running the tool a second time is impossible or does no harm. */
  async function post(facts: ToolFacts, request: HttpRequest, isRepeatable: boolean): Promise<Answered> {
    const retries = countRetries(retry, send.base + facts.path);
    const { signal } = request;
    for (;;) {
      try {
        return await readAnswer(await send(facts.path, { ...request, method: "POST" }), facts);
      } catch (error) {
        const isWorth = (failure: CallError): boolean =>
          // Without a job, the service refused the call before it began.
          (failure.jobId === undefined && refusals.includes(failure.kind)) || (isRepeatable && isPassing(failure));
        await retries.again(error, signal, isWorth);
      }
    }
  }

  const jobOf: Transport["job"] = (facts, id) => restJob(send, retry, id, facts);

  function startedJob(facts: ToolFacts, id: unknown): RemoteJob {
    if (typeof id !== "string") throw unexpected(`${facts.path} answered without a job id.`);
    return jobOf(facts, id);
  }

  async function call(facts: ToolFacts, body: string, options: CallOptions): Promise<WireResult> {
    const { signal, idempotencyKey } = options;
    const isRepeatable = facts.isRepeatable || idempotencyKey !== undefined;
    const request = { headers: jsonHeaders(options), body, signal };
    for (let isFirst = true; ; isFirst = false) {
      const answered = await post(facts, request, isRepeatable);
      if (answered.result) return answered.result;
      const job = startedJob(facts, answered.jobId);
      try {
        return await job.result(signal);
      } catch (error) {
        if (signal?.aborted && idempotencyKey === undefined) job.cancel().catch(() => {});
        // A service without a persistent store forgets its jobs when it restarts, so the job is started again.
        const isForgotten = error instanceof CallError && error.kind === "lost";
        if (!(isForgotten && isRepeatable && isFirst)) throw error;
      }
    }
  }

  async function start(facts: ToolFacts, body: string, options: CallOptions): Promise<RemoteJob> {
    const { signal, idempotencyKey } = options;
    const name = idempotencyKey === undefined ? newId() : undefined;
    const headers = { ...jsonHeaders(options), ...(name && { "job-id": name }), prefer: "respond-async" };
    // With an id or a key, a request that arrives twice starts one job.
    const { jobId } = await post(facts, { headers, body, signal }, true);
    return startedJob(facts, jobId ?? name);
  }

  return { tool, call, start, job: jobOf };
}

async function readAnswer(response: Response, facts: ToolFacts): Promise<Answered> {
  const { status, headers } = response;
  const jobId = headers.get("job-id");
  if (status === 202 || (status === 204 && headers.has("location"))) {
    // A gateway may hide the header from a page; then the id is read from the body.
    if (jobId === null) return { jobId: (Object(await readJson(response)) as PendingJob)["job-id"] };
    await discard(response);
    return { jobId };
  }
  return { jobId, result: await readResult(response, facts) };
}
