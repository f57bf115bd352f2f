import type { Tool } from "../../service/tools/tool.ts";
import { pathsOf } from "../../service/tools/tool.ts";
import { toResponse, versionHeader } from "../http/answer.ts";
import type { Caller } from "../http/caller.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { problemAnswer } from "../http/problem.ts";
import { readWebBody } from "../http/read-web-body.ts";
import type { Job, JobOutcome } from "../../job/job.ts";
import { outcomeAnswer, pendingAnswer } from "./answer-job.ts";
import { createApp } from "./app.ts";
import { readCallHeaders } from "./call-headers.ts";
import type { RestOptions } from "./mount-rest.ts";
import { clientLeft, defaultWait, isAbandonable, submission } from "./submission.ts";
import { waitForEnd } from "./wait-for-end.ts";

/** REST for hosts that speak `Request` and `Response`. Never rejects. */
export type WebRest = (request: Request, path: string, caller: Caller | undefined) => Promise<Response>;

/** The same routes as of `mountRest`, without `node:http`. */
export async function createWebRest(options: RestOptions): Promise<WebRest> {
  const callers = new WeakMap<object, Caller>();
  const app = await createApp({ ...options, callerOf: (incoming) => callers.get(incoming) });
  const tools = new Map(options.tools.flatMap((tool) => pathsOf(tool).map((path) => [path, tool] as const)));
  return async (request, path, caller) => {
    const response = await answer(request, path, caller);
    response.headers.set(...versionHeader);
    return response;
  };

  async function answer(request: Request, path: string, caller: Caller | undefined): Promise<Response> {
    const tool = tools.get(path);
    try {
      const { scopes } = tool?.definition ?? {};
      if (scopes !== undefined) caller?.require(scopes);
      if (tool !== undefined && request.method === "POST") return await post(tool, request, { path, caller }, options);
      const incoming = { url: path };
      if (caller !== undefined) callers.set(incoming, caller);
      return await app.fetch(request, { incoming });
    } catch (thrown) {
      return toResponse(problemAnswer(thrown));
    }
  }
}

async function post(
  tool: Tool,
  request: Request,
  { path, caller }: { readonly path: string; readonly caller: Caller | undefined },
  { executor, bodyLimit, onPlatform, delivery, deferredStatus, base }: RestOptions,
): Promise<Response> {
  let job: Job | undefined;
  const headers = Object.fromEntries(request.headers);
  const answered = {
    req: { method: request.method, url: path, headers },
    headersSent: false,
    statusCode: deferredStatus,
  };
  try {
    const call = readCallHeaders(headers, tool.options.maxWaitTime ?? defaultWait);
    const isBodyless = tool.definition.request === undefined && request.body === null;
    const body = isBodyless ? Buffer.alloc(0) : await readWebBody(request, bodyLimit);
    const input = isBodyless ? undefined : parseJsonBody(body);
    const authorization = onPlatform ? (request.headers.get("authorization") ?? undefined) : undefined;
    const http = executor.observer && answered;
    job = executor.start(submission(tool, input, call, { authorization, caller, body, http }));
    const outcome = await waitForEnd(job, call.wait, request.signal);
    if (outcome !== undefined) return await conclude(job, outcome);
    if (request.signal.aborted && isAbandonable(tool, call)) job.cancel(clientLeft);
    await executor.keep(job);
    const late = endOf(job);
    if (late !== undefined) return await conclude(job, late);
    delivery.report(job, { authorization });
    answered.headersSent = true;
    return toResponse(pendingAnswer(job, deferredStatus, base));
  } catch (thrown) {
    return toResponse(problemAnswer(thrown, job?.id));
  }

  /** For the platform the answer is the end of the job, and it takes no events behind that. */
  async function conclude(ended: Job, outcome: JobOutcome): Promise<Response> {
    await delivery.catchUp(ended.id);
    return toResponse(outcomeAnswer(ended, outcome));
  }
}

/** It may have ended while it was written. */
function endOf(job: Job): JobOutcome | undefined {
  return job.outcome;
}
