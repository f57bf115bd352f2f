import type * as Calls from "./calls.ts";
import type { Answer, Call, Started } from "./calls.ts";
import type { Client } from "./client.ts";
import type { ServiceInfo, ToolInfo } from "./definition.ts";
import type { JobInfo, JobPage, JobQuery } from "./job-info.ts";
import type * as ReadJobs from "./read-jobs.ts";
import { asText } from "../base/json.ts";

/** An event of a job's stream. */
export interface JobEvent {
  /** Number of the event in the stream; NaN if the stream does not give one. */
  readonly number: number;
  readonly type: string;
  /** Time of the event in milliseconds since 1970. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unchanged envelope of the event. */
  readonly raw: unknown;
}

/** Requests of the page to a service or a platform; each is a public route. */
export interface Backend {
  readonly kind: "service" | "platform";
  readonly client: Client;
  services(): Promise<readonly ServiceInfo[]>;
  /** Starts a job. */
  start(call: Call): Promise<Started>;
  /** Yields the events of a job, from the first or from after `after`, until the job has ended. */
  events(jobId: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined>;
  /** Fetches the result or the error of a job that has ended. */
  output(jobId: string): Promise<Answer>;
  /** Fetches the state of a job that goes on, and what it waits for: `status` and `waits-for`. */
  progress(jobId: string): Promise<unknown>;
  cancel(jobId: string): Promise<void>;
  job(jobId: string): Promise<JobInfo | undefined>;
  jobs(query: JobQuery): Promise<JobPage>;
  /** Returns the path of a call, for copying the call as a command. */
  readonly callPath: (service: ServiceInfo, tool: ToolInfo) => string;
}

/**
 * Returns the last part of an event's schema: `start`, `finish`, `error`, `generic`, or that of an author's own event.
 */
export function kindOf({ data }: JobEvent): string {
  return /([\w-]+)\.\d+$/.exec(asText(data["$schema"]) ?? "")?.[1] ?? "";
}

/** Loads what sends calls and reads answers: most views make no call. */
export async function calls(): Promise<typeof Calls> {
  return import("./calls.ts");
}

/** Loads what reads jobs: most views show none. */
export async function readJobs(): Promise<typeof ReadJobs> {
  return import("./read-jobs.ts");
}
