import { devHostKey } from "../../contract/process-keys.ts";
import type { JsonObject } from "../../contract/contract.ts";
import type { ServiceDefinition } from "../../contract/service-definition.ts";
import type { RunningJob } from "../../executor/running/running-job.ts";
import type { Job, JobUrn } from "../../job/job.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import type { Service } from "../../service/service.ts";
import type { SeenSpan } from "../../telemetry/sdk/dev-spans.ts";
import type { NotedCall } from "../../telemetry/watch-calls.ts";

/** The server that loads each build. */
export interface DevServer {
  readonly url: string;
  /** Resolves when requests can be answered. */
  readonly serving: Promise<unknown>;
  stop(): Promise<void>;
  reload(next: Served): Promise<void>;
}

/** Origin and request of a job. */
export interface JobStart {
  readonly origin: "rest" | "mcp" | "fork" | "schedule";
  /** Unparsed request of the job. */
  readonly input?: unknown;
  /** Id of the ended job that this job runs again. */
  readonly from?: JobUrn;
}

/** Set by `tenon dev`: a second start call in its process replaces the tools of the running server. */
export interface DevHost {
  running: DevServer | undefined;
  /** Called before modules are loaded again, with the source files that will be replaced; tools of other files stay. */
  forgetTools?: (sources: ReadonlySet<string>) => void;
  /** Called with each job that a caller or a schedule starts; it may have begun, or wait for its turn. */
  readonly started?: (job: Job, start: JobStart) => void;
  /** Called with each job that begins to run in this process, and again when it continues after a wait. */
  readonly began?: (job: RunningJob) => void;
  /**
   * Called when a call gets the job of an earlier call, whose request it has replaced if the job has not begun.
   *
   * @param call Id under which the call was started, if it is not that of the job
   */
  readonly joined?: (job: JobUrn, input: unknown, call?: JobUrn) => void;
  /**
   * Called with each outbound request and span of a worker thread's job; with a request again, under the same key, when
   * it has ended.
   */
  readonly call?: (job: string, call: NotedCall, key: string) => void;
  /** Called with each span of author code within a job that has ended, if telemetry is on. */
  readonly span?: (job: string, span: SeenSpan) => void;
  /** Runs the callback of a step, given with the event of its start, so that calls can be placed below the step. */
  readonly inStep?: <T>(start: object, run: () => T) => T;
  /** Start event of the step in which the calling code runs. */
  readonly stepOf?: () => object | undefined;
  /** Id of the job that the calling code runs for; set by the service. */
  jobOf?: () => JobUrn | undefined;
  /** Id of the span in which the calling code runs, if telemetry is on; set by the service. */
  spanOf?: () => string | undefined;
  /** Called with each build, before it is served. */
  readonly loaded?: (served: Served, config: Pick<Config, "console">) => void;
  /** Called with the reason why a build does not start, if the build before it keeps serving. */
  readonly refused?: (reason: string) => void;
  /** Notes of a job: its request, its log lines, the stack of its error. */
  readonly debug?: (job: Job) => object;
  /** The whole request of a job as JSON; undefined if it is not known. */
  readonly request?: (job: Job) => string | undefined;
  /**
   * Writes the request of a job into the source of its tool, as an example. Resolves to the position, or to a sentence
   * that explains why this is not possible.
   */
  readonly saveExample?: (job: Job) => Promise<{ readonly place: string } | { readonly refusal: string }>;
  /** Returns the part of a job's notes that the list of jobs shows. */
  readonly noted?: (id: string) => JsonObject;
  /** Why the latest files are not served, in place of which an earlier build answers; undefined if they are. */
  readonly failure?: () => string | undefined;
  /** The differences between the committed definition and the given one. */
  readonly changes?: (definition: ServiceDefinition) => Promise<object>;
  /** Serves the tools of a batch service, whose bundle has no server. */
  readonly serve?: (service: Service) => Promise<unknown>;
}

/** The `tenon dev` that runs in this process; undefined if there is none. */
export function devHost(): DevHost | undefined {
  return Reflect.get(globalThis, devHostKey) as DevHost | undefined;
}
