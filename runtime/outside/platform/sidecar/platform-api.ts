import type { CurrentJob } from "../../../job/current-job.ts";
import { backOff, retryAfter } from "./back-off.ts";
import { ownHeaders } from "./call-owner.ts";
import type { Clock } from "../../../base/clock.ts";
import { errorOfStatus, PlatformError } from "./platform-errors.ts";
import { collect, type HttpRequest, type HttpStream, type PlatformHttp } from "./platform-http.ts";
import { SidecarError, sidecarPath, type SidecarAnswer } from "./sidecar-client.ts";

/** The parts of a job that calls to the platform carry: its token, its attempt, its trace. */
export type PlatformJob = Pick<
  CurrentJob,
  "id" | "authorization" | "attempt" | "traceparent" | "tracestate" | "baggage" | "signal"
>;

/** Query parameters; undefined values are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A call of an operation. Every call must be safe to retry. */
export interface ApiRequest {
  /** Name of the operation for errors, which completes the sentence "Cannot …". */
  readonly operation: string;
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Milliseconds without data; default 60 000. */
  readonly timeout?: number;
}

/** The platform's API for one job. Every call carries that job's token and no other's. */
export interface PlatformApi {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Returns a whole 2xx answer, with retries. Throws a {@link PlatformError}. */
  call(request: ApiRequest): Promise<SidecarAnswer>;
  /** Returns a 2xx answer with a streamed body, with retries. Throws a {@link PlatformError}. */
  stream(request: ApiRequest): Promise<HttpStream>;
  /** Sends the request once, without a retry. */
  once(request: ApiRequest): Promise<Tried<SidecarAnswer>>;
  /** Waits before a retry. Throws when the job was stopped. */
  pause(operation: string, failures: number, failed: Failed): Promise<void>;
}

/** Outcome of one try: a final answer, or the failure. */
export type Tried<Answer> = { readonly answer: Answer; readonly failed?: undefined } | { readonly failed: Failed };

export interface Failed {
  readonly reason: string;
  readonly status?: number | undefined;
  /** Milliseconds that the platform asks the client to wait. */
  readonly wait?: number | undefined;
}

/** Number of tries of a call; together they take about half a minute. */
export const maxTries = 5;
const usualTimeout = 60_000;
/** Maximum bytes of an answer that is not streamed: a page of aspects, a result. */
const answerLimit = 32 * 1024 * 1024;
const again: ReadonlySet<number> = new Set([408, 425, 429]);

/** @param silence Milliseconds without data after which a call is retried */
export function createPlatformApi(
  http: PlatformHttp,
  job: PlatformJob,
  clock: Clock,
  silence: number = usualTimeout,
): PlatformApi {
  const open = (request: ApiRequest): Promise<HttpStream> =>
    http.open({
      method: request.method,
      path: request.path,
      headers: { ...request.headers, ...jobHeaders(job) },
      body: request.body,
      timeout: request.timeout ?? silence,
      signal: job.signal,
    });
  const attempt = async <Answer extends HttpStream | SidecarAnswer>(
    operation: string,
    send: () => Promise<Answer>,
  ): Promise<Tried<Answer>> => {
    try {
      const answer = await send();
      const { status, headers } = answer;
      if (status < 500 && !again.has(status)) return { answer };
      if ("discard" in answer) answer.discard();
      const reason = `the platform answered ${status}`;
      return { failed: { reason, status, wait: retryAfter(headers["retry-after"]) } };
    } catch (error) {
      return { failed: { reason: reasonOf(operation, error) } };
    }
  };
  const read = async (request: ApiRequest): Promise<SidecarAnswer> => collect(await open(request), answerLimit);
  const pause: PlatformApi["pause"] = async (operation, failures, failed) => {
    if (failures >= maxTries) throw gaveUp(operation, failures, failed);
    await clock.sleep(backOff(failures, clock.random, failed.wait), job.signal);
    if (job.signal.aborted) throw stopped(operation, job.signal.reason);
  };
  const persist = async <Answer>(operation: string, tryOnce: () => Promise<Tried<Answer>>): Promise<Answer> => {
    for (let failures = 1; ; failures++) {
      const tried = await tryOnce();
      if (tried.failed === undefined) return tried.answer;
      await pause(operation, failures, tried.failed);
    }
  };
  return {
    clock,
    get signal() {
      return job.signal;
    },
    pause,
    once: (request) => attempt(request.operation, () => read(request)),
    async call(request) {
      const answer = await persist(request.operation, () => attempt(request.operation, () => read(request)));
      if (answer.status >= 200 && answer.status < 300) return answer;
      throw errorOfAnswer(request.operation, answer);
    },
    async stream(request) {
      const stream = await persist(request.operation, () => attempt(request.operation, () => open(request)));
      if (stream.status >= 200 && stream.status < 300) return stream;
      const body = await collect(stream, answerLimit).catch(() => undefined);
      throw errorOfAnswer(request.operation, body ?? { status: stream.status, headers: {}, body: Buffer.alloc(0) });
    },
  };
}

/** Encodes a path whose segments may hold any character, with a query. */
export function apiPath(segments: readonly string[], query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parameters.set(key, String(value));
  const path = sidecarPath(...segments);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Parses the answer as a JSON object. */
export function jsonOf(operation: string, answer: SidecarAnswer): Readonly<Record<string, unknown>> {
  const content = parse(answer.body);
  if (typeof content === "object" && content !== null && !Array.isArray(content)) {
    return content as Readonly<Record<string, unknown>>;
  }
  const type = answer.headers["content-type"] ?? "no content type";
  const problem = `the platform's answer (${type}) is not a JSON object. Check PLATFORM_BASE_URL.`;
  throw new PlatformError(operation, problem, { status: answer.status });
}

/** Makes the error for an answer with an unsuccessful status. */
export function errorOfAnswer(operation: string, answer: SidecarAnswer): PlatformError {
  const content = parse(answer.body);
  const said =
    typeof content === "object" && content !== null
      ? ((content as { message?: unknown }).message ?? (content as { detail?: unknown }).detail)
      : undefined;
  return errorOfStatus(operation, answer.status, typeof said === "string" ? said.slice(0, 500) : undefined);
}

/** Makes the error after the last attempt. */
export function gaveUp(operation: string, tries: number, { reason, status }: Failed): PlatformError {
  const problem = `${reason}, ${tries} times. The platform may be down; try again later, or check PLATFORM_BASE_URL.`;
  return new PlatformError(operation, problem, status === undefined ? {} : { status });
}

/** Returns the reason for a missing answer, as text. Errors that a retry cannot fix are thrown. */
export function reasonOf(operation: string, error: unknown): string {
  if (!(error instanceof SidecarError)) throw error;
  if (error.fault === "aborted") throw stopped(operation, error);
  if (error.fault === "too-large") throw new PlatformError(operation, error.message, { cause: error });
  return error.message;
}

function stopped(operation: string, cause: unknown): PlatformError {
  return new PlatformError(operation, "the job was stopped.", { cause });
}

function jobHeaders(job: PlatformJob): Record<string, string> {
  const { id, traceparent, tracestate, baggage } = job;
  const headers = { ...ownHeaders(job), "Platform-Job-Id": id };
  if (traceparent === undefined) return headers;
  return {
    ...headers,
    traceparent,
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
