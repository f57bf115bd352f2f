import type { CopyText } from "../base/copy-text.ts";
import type { Answer } from "./answer.ts";
import type { Client } from "./client.ts";
import type { ServiceInfo, ToolInfo } from "./definition.ts";
import type { JobEvent } from "./job-event.ts";
import type { JobInfo, JobPage, JobQuery } from "./job-info.ts";

/** A call of a tool. */
export interface Call {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
  /** Request as JSON text. */
  readonly body: string;
  /** Bare id of the job. The page makes the id, so that it can follow the job from its start. */
  readonly jobId: string;
  readonly traceparent: string;
}

/** Requests of the page to a service or a platform; each is a public route. */
export interface Backend {
  readonly kind: "service" | "platform";
  readonly client: Client;
  services(): Promise<readonly ServiceInfo[]>;
  /** Starts a job. Resolves to an answer if the job has ended or was refused; to undefined if it is running. */
  start(call: Call): Promise<Answer | undefined>;
  /** Yields the events of a job, from the first or from after `after`, until the job has ended. */
  events(jobId: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined>;
  /** Fetches the result or the error of a job that has ended. */
  output(jobId: string): Promise<Answer>;
  cancel(jobId: string): Promise<void>;
  job(jobId: string): Promise<JobInfo | undefined>;
  jobs(query: JobQuery): Promise<JobPage>;
  /** Makes texts for copying a call that only this kind of backend has. */
  copies(tool: ToolInfo, body: string): readonly CopyText[];
  /** Returns the path of a call, for copying the call as a command. */
  callPath(service: ServiceInfo, tool: ToolInfo): string;
}
