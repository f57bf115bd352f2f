import { CallError, unexpected, isPassing } from "../call-error.ts";
import { asUnreachable, newId, type HttpRequest, type Send } from "./http.ts";
import { readJson, readResult } from "./read-answer.ts";
import { countRetries, type RetryOptions } from "./retry.ts";
import { restJob } from "./rest-job.ts";
import type { CallOptions, RemoteJob, ToolFacts, Transport, WireResult } from "../transport.ts";

/** Answer to a call: the id of its job, and the result if the job has ended. */
type Answered =
  | { readonly jobId: string | null; readonly result: WireResult }
  | { readonly jobId: string | undefined; readonly result?: never };

/** The body of an answer to a call whose job has not ended. */
interface PendingJob {
  readonly "job-id"?: string;
}

/**
 * Makes a transport to the tools of a service over its REST routes.
 *
 * @param tool Finds the properties of a tool by its name
 */
export function restTransport(send: Send, retry: RetryOptions, tool: Transport["tool"]): Transport {
  /** Posts a request. Repeats it after a failure if running the tool a second time is impossible or does no harm. */
  async function post(facts: ToolFacts, request: HttpRequest, isRepeatable: boolean): Promise<Answered> {
    const retries = countRetries(retry);
    const { signal } = request;
    for (;;) {
      try {
        return await readAnswer(await send(facts.path, { ...request, method: "POST" }), facts);
      } catch (error) {
        const isWorth = (failure: CallError): boolean => isRefused(failure) || (isRepeatable && isPassing(failure));
        await retries.again(asUnreachable(error, facts.path, signal), signal, isWorth);
      }
    }
  }

  const jobOf: Transport["job"] = (facts, id) => restJob(send, retry, id, facts);

  function startedJob(facts: ToolFacts, id: string | undefined): RemoteJob {
    if (id === undefined) throw unexpected(`${facts.path} answered without the id of a job.`);
    return jobOf(facts, id);
  }

  async function call(facts: ToolFacts, body: string, options: CallOptions): Promise<WireResult> {
    const { signal, idempotencyKey } = options;
    const isRepeatable = facts.isRepeatable || idempotencyKey !== undefined;
    const request = { headers: headersOf(options), body, signal };
    for (let isFirst = true; ; isFirst = false) {
      const answered = await post(facts, request, isRepeatable);
      if (answered.result) return answered.result;
      const job = startedJob(facts, answered.jobId);
      try {
        return await job.result(signal);
      } catch (error) {
        if (signal?.aborted === true && idempotencyKey === undefined) job.cancel().catch(() => {});
        // A service without a persistent store forgets its jobs when it restarts, so the job is started again.
        const isForgotten = error instanceof CallError && error.kind === "lost";
        if (!(isForgotten && isRepeatable && isFirst)) throw error;
      }
    }
  }

  async function start(facts: ToolFacts, body: string, options: CallOptions): Promise<RemoteJob> {
    const { signal, idempotencyKey } = options;
    const name = idempotencyKey === undefined ? newId() : undefined;
    const headers = { ...headersOf(options), ...(name && { "job-id": name }), prefer: "respond-async" };
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
    await response.body?.cancel();
    return { jobId };
  }
  return { jobId, result: await readResult(response, facts) };
}

function headersOf({ idempotencyKey, traceparent }: CallOptions): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** True if the service refused the call before it began. */
function isRefused({ kind, jobId }: CallError): boolean {
  return jobId === undefined && ["overloaded", "draining", "too-many-requests"].includes(kind);
}
