import { systemClock } from "../../base/clock.ts";
import { ToolError } from "../../base/errors.ts";
import { createMemoryBook } from "../../job/steps/memory-book.ts";
import { maxStepBytes } from "../../job/steps/kept-step.ts";
import type { StepWrite, StoredStep } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { StaleError } from "../../job/steps/step-errors.ts";
import {
  apiPath,
  createPlatformApi,
  errorOfAnswer,
  jsonOf,
  maxTries,
} from "../../outside/platform/sidecar/platform-api.ts";
import type { ApiRequest, PlatformApi } from "../../outside/platform/sidecar/platform-api.ts";
import { createPlatformHttp } from "../../outside/platform/sidecar/platform-http.ts";
import type { SidecarAnswer } from "../../outside/platform/sidecar/sidecar-client.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { RunningJob } from "../running/running-job.ts";

/** Milliseconds for which a step is written again while the platform does not answer. */
const patience = 300_000;
/** Statuses of a platform that has no such route. */
const noRoute: ReadonlySet<number> = new Set([404, 405, 501]);

/** Opens the books of jobs that a platform hands out. */
export type OpenPlatformBook = (job: RunningJob) => Promise<StepBook>;

/**
 * Books that the platform has: what a job keeps is there for its next attempt, at whichever worker. Where it has no
 * such route, a job keeps its steps while its attempt lives, and the log says so once.
 */
export function platformBooks({ baseUrl, clock = systemClock, timeout }: PlatformSettings): OpenPlatformBook {
  const http = baseUrl === undefined ? undefined : createPlatformHttp(baseUrl);
  let isAbsent = http === undefined;
  return async (job) => {
    if (http === undefined || isAbsent) return createMemoryBook();
    const api = createPlatformApi(http, job, clock, timeout);
    const path = [job.attempt?.id ?? job.id, "steps"];
    const request = {
      operation: "read the steps of the job",
      method: "GET",
      path: apiPath(["jobs", ...path]),
    } as const;
    const answer = await persist(api, request);
    if (noRoute.has(answer.status)) {
      isAbsent = true;
      getLogger("tenon").warn(
        { status: answer.status },
        "the platform keeps no steps: a job keeps them while its attempt lives",
      );
      return createMemoryBook();
    }
    checkAnswer(job, request.operation, answer);
    const { steps } = jsonOf(request.operation, answer);
    return platformBook(api, job, Array.isArray(steps) ? (steps as readonly StoredStep[]) : []);
  };
}

function platformBook(api: PlatformApi, job: RunningJob, steps: readonly StoredStep[]): StepBook {
  const memory = createMemoryBook({ steps });
  return {
    ...memory,
    async keep(step: StepWrite) {
      const { key, ...rest } = step;
      if (Buffer.byteLength(step.value ?? "") > maxStepBytes) throw tooLarge(key);
      const operation = `keep step ${key}`;
      const answer = await persist(api, {
        operation,
        method: "PUT",
        path: apiPath(["jobs", job.attempt?.id ?? job.id, "steps", key]),
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(rest),
      });
      checkAnswer(job, operation, answer);
      await memory.keep(step);
    },
  };
}

/** Repeats a call until the platform has answered it: a step that has happened should be kept. */
async function persist(api: PlatformApi, request: ApiRequest): Promise<SidecarAnswer> {
  const until = api.clock.now() + patience;
  for (let failures = 1; ; failures++) {
    const tried = await api.once(request);
    if (tried.failed === undefined) return tried.answer;
    // The last failure that is allowed throws.
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
    "too-large",
    `The result of step ${key} has more than ${maxStepBytes} bytes. Keep large results as artifacts.`,
  );
}
