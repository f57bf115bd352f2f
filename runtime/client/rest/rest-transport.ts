import type { ResultKind } from "../../contract/contract.ts";
import { CallError, unexpected, isPassing } from "../call-error.ts";
import { asUnreachable, newId, type HttpRequest, type Send } from "./http.ts";
import { readProblem, readResult } from "./read-answer.ts";
import { countRetries, type RetryOptions } from "./retry.ts";
import { restJob } from "./rest-job.ts";
import type { CallOptions, RemoteJob, ToolFacts, Transport, WireResult } from "../transport.ts";

/** Answer to a call: its result, or the id of a job that is still running. */
type Answered = { readonly result: WireResult } | { readonly jobId: string };

/**
 * Makes a transport to the tools of a service over its REST routes.
 *
 * @param tool Finds the properties of a tool by its name
 */
export function restTransport(send: Send, retry: RetryOptions, tool: Transport["tool"]): Transport {
  /** Posts a request. Repeats it after a failure if running the tool a second time is impossible or does no harm. */
  async function post<T>(
    facts: ToolFacts,
    request: HttpRequest,
    isRepeatable: boolean,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const retries = countRetries(retry);
    const { signal } = request;
    for (;;) {
      try {
        return await read(await send(facts.path, { ...request, method: "POST" }));
      } catch (error) {
        const isWorth = (failure: CallError): boolean => isRefused(failure) || (isRepeatable && isPassing(failure));
        await retries.again(asUnreachable(error, facts.path, signal), signal, isWorth);
      }
    }
  }

  async function call(facts: ToolFacts, body: string, options: CallOptions): Promise<WireResult> {
    const { signal, idempotencyKey } = options;
    const isRepeatable = facts.isRepeatable || idempotencyKey !== undefined;
    const request = { headers: headersOf(options), body, signal };
    for (let isFirst = true; ; isFirst = false) {
      const answered = await post(facts, request, isRepeatable, (response) => readAnswer(response, facts.kind));
      if ("result" in answered) return answered.result;
      const job = restJob(send, retry, answered.jobId, facts.kind);
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
    const name = idempotencyKey === undefined ? { "job-id": newId() } : undefined;
    const headers = { ...headersOf(options), ...name, prefer: "respond-async" };
    // With an id or a key, a request that arrives twice starts one job.
    const id = (await post(facts, { headers, body, signal }, true, readJobId)) ?? name?.["job-id"];
    if (id === undefined) throw unexpected(`${facts.path} answered without the id of a job.`);
    return restJob(send, retry, id, facts.kind);
  }

  return { tool, call, start, job: ({ kind }, id) => restJob(send, retry, id, kind) };
}

async function readAnswer(response: Response, kind: ResultKind): Promise<Answered> {
  const { status, headers } = response;
  const jobId = headers.get("job-id");
  if (jobId !== null && (status === 202 || (status === 204 && headers.has("location")))) {
    await response.body?.cancel();
    return { jobId };
  }
  return { result: await readResult(response, kind) };
}

/** Reads the id of a started job. A job that has ended already is answered with its result, which is read later. */
async function readJobId(response: Response): Promise<string | null> {
  if (!response.ok) throw await readProblem(response);
  await response.body?.cancel();
  return response.headers.get("job-id");
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
