import { EventReporter } from "../events/reporter.ts";
import { getLogger } from "../telemetry/logging.ts";
import type { Logger } from "../telemetry/logging.ts";
import { currentJob } from "./current-job.ts";
import type { CurrentJob } from "./current-job.ts";
import type { JobUrn } from "./job.ts";

/** What a tool knows of the job that it runs for. Take it as a parameter, or ask `getJobContext()`. */
export class JobContext {
  readonly #job: CurrentJob;
  #report: EventReporter | undefined;
  #logger: Logger | undefined;

  /** Made by tenon, one per job. */
  constructor(job: CurrentJob) {
    this.#job = job;
  }

  /** Identity of the job, `urn:platform:job:…`. */
  get jobId(): JobUrn {
    return this.#job.id;
  }

  /** Reports steps and progress. */
  get report(): EventReporter {
    return (this.#report ??= new EventReporter(this.#job.emit, this.#job.span));
  }

  /** The platform's token of this job, `Bearer` included; undefined outside the platform. Never printed. */
  get jobAuthorization(): string | undefined {
    return this.#job.authorization;
  }

  /** Aborted when the job is cancelled, has timed out, or the service must stop. Pass it on to what takes a signal. */
  get signal(): AbortSignal {
    return this.#job.signal;
  }

  /** Logs with the job's id and the tool's name. */
  get logger(): Logger {
    return (this.#logger ??= getLogger(this.#job.tool.name).child({ job_id: this.jobId, tool: this.#job.tool.name }));
  }

  toJSON(): { readonly jobId: JobUrn; readonly jobAuthorization?: "[redacted]" } {
    return {
      jobId: this.jobId,
      ...(this.#job.authorization === undefined ? {} : { jobAuthorization: "[redacted]" }),
    };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `JobContext ${JSON.stringify(this.toJSON())}`;
  }
}

/** The one context of a job. */
export function jobContextOf(job: CurrentJob): JobContext {
  if (job.context instanceof JobContext) return job.context;
  const context = new JobContext(job);
  job.context = context;
  return context;
}

/** The context of the job that the current code runs for; undefined outside a job. */
export function getJobContext(): JobContext | undefined {
  const job = currentJob.getStore();
  return job === undefined ? undefined : jobContextOf(job);
}

/** The URN of the job that the current code runs for; undefined outside a job. */
export function getJobId(): JobUrn | undefined {
  return currentJob.getStore()?.id;
}

/** The reporter of the job that the current code runs for; undefined outside a job. */
export function getEventReporter(): EventReporter | undefined {
  return getJobContext()?.report;
}
