import { systemClock } from "../../base/clock.ts";
import { ToolError } from "../../base/errors.ts";
import { firstEnds } from "../../job/steps/first-ends.ts";
import { createMemoryBook } from "../../job/steps/memory-book.ts";
import { maxStepBytes, type StepWrite, type StoredMessage, type StoredStep } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { StaleError } from "../../job/steps/step-errors.ts";
import {
  apiPath,
  createPlatformApi,
  errorOfAnswer,
  jsonOf,
  maxTries,
  type ApiRequest,
  type PlatformApi,
  type PlatformJob,
  type Query,
} from "../../outside/platform/sidecar/platform-api.ts";
import { createPlatformHttp } from "../../outside/platform/sidecar/platform-http.ts";
import type { SidecarAnswer } from "../../outside/platform/sidecar/sidecar-client.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { RunningJob } from "../running/running-job.ts";

/** Milliseconds for which writing a step is retried while the platform does not answer. */
const patience = 300_000;
/** Maximum seconds for which the platform holds a poll for messages open. */
const longPoll = 20;
/** Statuses with which a platform answers if it does not have the route. */
const noRoute: ReadonlySet<number> = new Set([404, 405, 501]);

/** Opens the step records of jobs that a platform hands out. */
export type OpenPlatformBook = (job: RunningJob) => Promise<StepBook>;

/**
 * Stores step records at the platform: the next attempt of a job gets the steps, at whichever worker. If the platform
 * does not have the route, a job keeps its steps only during its attempt, and one log line says so. A platform that
 * delivers messages can also park jobs.
 */
export function platformBooks({ baseUrl, clock = systemClock, timeout }: PlatformSettings): OpenPlatformBook {
  const http = baseUrl === undefined ? undefined : createPlatformHttp(baseUrl);
  let isAbsent = http === undefined;
  return async (job) => {
    if (http === undefined || isAbsent) return createMemoryBook();
    const apiOf: ApiOf = (one) => createPlatformApi(http, one, clock, timeout);
    const api = apiOf(job);
    const operation = "read the steps of the job";
    const answer = await persist(api, { operation, method: "GET", path: pathOf(job, ["steps"]) });
    if (noRoute.has(answer.status)) {
      isAbsent = true;
      getLogger("tenon").warn(
        { status: answer.status },
        "the platform keeps no steps: a job keeps them while its attempt lives",
      );
      return createMemoryBook();
    }
    checkAnswer(job, operation, answer);
    const { steps, messages } = jsonOf(operation, answer);
    const known = Array.isArray(steps) ? (steps as readonly StoredStep[]) : [];
    const book = keepsThere(apiOf, job, known);
    return Array.isArray(messages) ? hearsMessages(book, job, apiOf, messages as readonly StoredMessage[]) : book;
  };
}

type ApiOf = (job: PlatformJob) => PlatformApi;

/** A record whose steps the platform stores. */
function keepsThere(apiOf: ApiOf, job: RunningJob, steps: readonly StoredStep[]): StepBook {
  const memory = createMemoryBook({ steps });
  // The signal of the job is not used: a step that ends after its job was stopped has happened, so it is stored.
  const { signal } = new AbortController();
  return firstEnds({
    ...memory,
    async keep(step: StepWrite) {
      const { key, ...rest } = step;
      if (Buffer.byteLength(step.value ?? "") > maxStepBytes) throw tooLarge(key);
      const operation = `keep step ${key}`;
      const answer = await persist(apiOf(withSignal(job, signal)), {
        operation,
        method: "PUT",
        path: pathOf(job, ["steps", key]),
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(rest),
      });
      checkAnswer(job, operation, answer);
      await memory.keep(step);
    },
  });
}

/** Adds messages to a record. The job is parked if its waits are long and the worker has a lease. */
function hearsMessages(book: StepBook, job: RunningJob, apiOf: ApiOf, first: readonly StoredMessage[]): StepBook {
  const messages = [...first];
  const listeners = new Set<() => void>();
  let asking: AbortController | undefined;

  /** Reads messages; the platform holds the request open for up to `wait` seconds until there is one. */
  async function read(signal: AbortSignal, wait: number): Promise<void> {
    const api = apiOf(withSignal(job, signal));
    const operation = "read the messages of the job";
    const after = messages.length;
    const path = pathOf(job, ["messages"], { after, wait });
    const answer = await persist(api, { operation, method: "GET", path, timeout: (wait + 10) * 1000 });
    checkAnswer(job, operation, answer);
    const { messages: more } = jsonOf(operation, answer);
    // Another read may have brought some of them.
    const added = Array.isArray(more) ? (more as readonly StoredMessage[]).slice(messages.length - after) : [];
    if (added.length === 0) return;
    messages.push(...added);
    for (const listener of listeners) listener();
  }

  /** Polls for messages as long as somebody listens. */
  async function ask(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, job.signal]);
    while (!signal.aborted) await read(signal, longPoll);
  }

  function start(): void {
    asking = new AbortController();
    const { signal } = asking;
    ask(signal).catch((error: unknown) => {
      // Stops the job, since it would wait for ever for messages that never come.
      if (!signal.aborted && job.ending === undefined) job.stop(ToolError.from(error));
    });
  }

  return {
    ...book,
    message: (name) => messages.find((one) => one.name === name),
    onMessage(listener) {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) asking?.abort();
      };
    },
    refresh: () => read(job.signal, 0),
    // Parking needs a lease: without a lease, it is unknown whether this attempt still has the job.
    ...(job.attempt?.headers["Job-Lease"] !== undefined && { park: (parking) => job.leave(parking) }),
  };
}

/** The job with another signal. A job that continues under a later lease makes its calls with that lease. */
function withSignal(job: RunningJob, signal: AbortSignal): PlatformJob {
  const { id, traceparent, tracestate, baggage } = job;
  return {
    id,
    get authorization() {
      return job.authorization;
    },
    get attempt() {
      return job.attempt;
    },
    traceparent,
    tracestate,
    baggage,
    signal,
  };
}

function pathOf(job: RunningJob, below: readonly string[], query?: Query): string {
  return apiPath(["jobs", job.attempt?.id ?? job.id, ...below], query);
}

/** Repeats a request until the platform has answered it: the step has already run, so its result must be stored. */
async function persist(api: PlatformApi, request: ApiRequest): Promise<SidecarAnswer> {
  const until = api.clock.now() + patience;
  for (let failures = 1; ; failures++) {
    const tried = await api.once(request);
    if (tried.failed === undefined) return tried.answer;
    // A platform that does not have a route will not have it a minute later either.
    if (tried.failed.status === 501) return { status: 501, headers: {}, body: Buffer.alloc(0) };
    // After the allowed time, the next failure is thrown.
    const count = api.clock.now() < until ? Math.min(failures, maxTries - 1) : maxTries;
    await api.pause(request.operation, count, tried.failed);
  }
}

function checkAnswer(job: RunningJob, operation: string, answer: SidecarAnswer): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  if (status !== 409 && status !== 410) throw errorOfAnswer(operation, answer);
  if (job.ending === undefined) job.cancel("The job was given to another worker, or is gone.");
  throw new StaleError();
}

function tooLarge(key: string): ToolError {
  return new ToolError(
    "invalid-result",
    `The result of step ${key} has more than ${maxStepBytes} bytes. Keep large results as artifacts.`,
  );
}
