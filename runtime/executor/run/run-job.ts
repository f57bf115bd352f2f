import { isThenable } from "../../base/is-thenable.ts";
import { ToolError, type ErrorKind } from "../../base/errors.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { currentJob, type CurrentJob } from "../../job/current-job.ts";
import { encodeResult } from "./encode-result.ts";
import { isBinaryResult, type BinaryResult } from "../../job/binary-result.ts";
import { jobContextOf } from "./job-context.ts";
import type { JobResult } from "../../job/job.ts";
import { decodeRequest } from "./decode-request.ts";
import type { RunningJob } from "../running/running-job.ts";
import type * as TakeStream from "./take-stream.ts";

const callersMistakes: ReadonlySet<ErrorKind> = new Set([
  "user-input",
  "validation",
  "idempotency-conflict",
  "too-many-requests",
]);

/**
 * Runs the author's function for a job: validates and decodes the request, opens the context, calls, encodes and
 * validates the result. Other code must not call the function. Never throws; the job ends with an outcome, before this
 * returns when the function is synchronous.
 */
export function runJob(job: RunningJob): void {
  job.begin();
  enter(job);
}

function enter(job: RunningJob): void {
  if (job.span === undefined) currentJob.run(job, execute, job);
  else job.span.run(() => currentJob.run(job, execute, job));
}

function execute(job: RunningJob): void {
  try {
    const request = decodeRequest(job.tool, job.input);
    if (request instanceof Promise) {
      request.then(
        (decoded: unknown) => callAuthor(job, decoded),
        (thrown: unknown) => fail(job, thrown),
      );
    } else callAuthor(job, request);
  } catch (thrown) {
    fail(job, thrown);
  }
}

function callAuthor(job: RunningJob, request: unknown): void {
  // The job was cancelled while its request was validated.
  if (job.ending !== undefined) return;
  try {
    const { call } = job.tool.functions;
    // Generated code takes the context only if the author's function does.
    const value: unknown =
      call.length === 1
        ? call(request as never, undefined as never)
        : call(request as never, jobContextOf(job) as never);
    if (isThenable(value)) {
      job.isCalled = true;
      Promise.resolve(value).then(
        (result) => {
          job.returned();
          finish(job, result);
        },
        (thrown) => {
          job.returned();
          fail(job, thrown);
        },
      );
    } else finish(job, value);
  } catch (thrown) {
    fail(job, thrown);
  }
}

function finish(job: RunningJob, value: unknown): void {
  // The job was cancelled, so its late result is dropped.
  if (job.ending !== undefined) {
    if (isBinaryResult(value)) loadStreams().then(({ dropLate }) => dropLate(value), ignore);
    return;
  }
  let result: JobResult | Promise<never>;
  try {
    result = encodeResult(job.tool.definition, job.tool.functions, value);
  } catch (thrown) {
    fail(job, thrown);
    return;
  }
  if (result instanceof Promise) {
    stay(job);
    result.catch((thrown: unknown) => failLate(job, thrown));
    return;
  }
  if (result.kind !== "binary" || !(result.content instanceof ReadableStream)) {
    job.end({ state: "succeeded", result });
    return;
  }
  const stream = { ...result, content: result.content, origin: (value as BinaryResult).content };
  stay(job);
  loadStreams()
    .then(({ takeStream }) => takeStream(job, stream, (error) => logFault(job, error, "result cut off")))
    .catch((thrown: unknown) => failLate(job, thrown));
}

/** Few results are streams, so their code is loaded on demand. */
function loadStreams(): Promise<typeof TakeStream> {
  return import("./take-stream.ts");
}

function ignore(): void {}

/** Ends a job, or tries it again, that {@link stay} has kept in its process. */
function failLate(job: RunningJob, thrown: unknown): void {
  stay(job, -1);
  fail(job, thrown);
}

/** Ends a job with the thrown error, or tries it again by its `@retry`. */
export function fail(job: RunningJob, thrown: unknown, again: (job: RunningJob) => void = runAgain): void {
  if (job.ending !== undefined) return;
  if (job.tool.definition.retry !== undefined && !job.signal.aborted) {
    stay(job);
    job.awaitsRetry = true;
    job.clock?.set("failed", true);
    void import("./retry-job.ts").then(({ retryJob }) => retryJob(job, thrown, { again, giveUp: endFailed }));
    return;
  }
  endFailed(job, thrown);
}

/** Keeps the job in its process from now on, since its function has ended and waits for nothing any more. */
function stay(job: CurrentJob, by: 1 | -1 = 1): void {
  job.busy = (job.busy ?? 0) + by;
  job.idle?.(false);
}

/** Runs the function of a job again from its start. */
function runAgain(job: RunningJob): void {
  job.context = undefined;
  enter(job);
}

/**
 * Ends a job with the thrown error, without a retry. Errors that are not the caller's mistake are logged here, once,
 * with their cause.
 */
export function endFailed(job: RunningJob, thrown: unknown): void {
  if (job.ending !== undefined) return;
  const error = ToolError.from(thrown);
  if (callersMistakes.has(error.kind)) {
    job.end({ state: "failed", error: withoutSecrets(error, job.authorization) });
    return;
  }
  // At a shutdown, the job is neither at fault nor at its end: the platform or a later process may run it again. One
  // that waited for its client is run again by an answer.
  if (error.kind !== "draining") logFault(job, error, "job failed");
  else if (!job.suspended) currentJob.run(job, () => getLogger("tenon").warn("job stopped with the service"));
  job.end({ state: "error", error });
}

/**
 * Logs inside the job's context, which has the token that the log redacts. This matters for errors of a thread, which
 * come from outside of that context, and for errors of a stream, which come after the end of the job.
 */
function logFault(job: RunningJob, error: ToolError, text: string): void {
  currentJob.run(job, () =>
    getLogger("tenon").error({ kind: error.kind, error: describeThrown(error.cause ?? error) }, text),
  );
}

/** Removes secrets of the service from a message for the caller. */
function withoutSecrets(error: ToolError, token: string | undefined): ToolError {
  const message = logState().redactor.known(error.message, token);
  if (message === error.message) return error;
  const { kind, problems, cause } = error;
  return new ToolError(kind, message, { ...(problems !== undefined && { problems }), cause });
}
