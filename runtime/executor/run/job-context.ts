import type { JsonObject, KeptCodec } from "../../contract/contract.ts";
import { EventReporter } from "../../job/reporter.ts";
import type { LlmClient, LlmOptions } from "../../outside/llm/openai-types.ts";
import { createJobPlatform } from "../../outside/platform/job-platform.ts";
import type { PlatformClient } from "../../outside/platform/platform-client.ts";
import { noPlatform } from "../../service/config/platform-settings.ts";
import { getLogger, type Logger } from "../../telemetry/log/logging.ts";
import { currentJob, type CurrentJob } from "../../job/current-job.ts";
import type { Asker, AskForm, AskOptions } from "./ask.ts";
import type { KeptStepOptions, StepAttempt, Steps } from "./steps.ts";
import type { Duration } from "./time-of.ts";
import type { MessageOptions, SleepOptions } from "./waits.ts";
import type { JobCaller, JobUrn } from "../../job/job.ts";
import { isFiring } from "../../job/job-id.ts";
import type { ClientCapability, ClientMethod } from "../../job/question.ts";
import { stayDuring } from "./stay-during.ts";

/** The job that a tool runs for. Take it as a parameter, or call `getJobContext()`. */
export class JobContext {
  readonly #job: CurrentJob;
  #report: EventReporter | undefined;
  #logger: Logger | undefined;
  #asker: Promise<Asker> | undefined;
  #steps: Promise<Steps> | undefined;
  #platform: PlatformClient | undefined;

  /** Created by tenon, one per job. `platform`: replaces the configured one in tests. */
  constructor(job: CurrentJob, platform?: PlatformClient) {
    this.#job = job;
    this.#platform = platform;
  }

  /** Id of the job, `urn:platform:job:…`. */
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

  /**
   * The caller by its access token: `subject`, `client`, `scopes` and all `claims`. Undefined where callers are not
   * authenticated (`TENON_AUTH_ISSUER`), for jobs that the platform hands out, and for scheduled jobs.
   */
  get caller(): JobCaller | undefined {
    return this.#job.caller;
  }

  /** `schedule` for a job that the service itself has started (`@schedule`), otherwise `call`. */
  get origin(): "call" | "schedule" {
    return isFiring(this.jobId) ? "schedule" : "call";
  }

  /** Artifacts, aspects and other services. Needs no credentials: calls carry the job's own token. */
  get platform(): PlatformClient {
    return (this.#platform ??= createJobPlatform(this.#job, this.#job.platformSettings ?? noPlatform));
  }

  /**
   * Creates a client of the package `openai` for the language model of the deployment. Its requests carry the job's
   * trace, have spans where telemetry is on, and are aborted when the job ends. All options are passed to the client's
   * constructor and take precedence.
   *
   * Key: `apiKey`; none is needed when `LLM_GATEWAY_PROXY` is set; `LLM_API_KEY`; the file `~/.config/openai/api_key`.
   * Address: `baseURL`; `{LLM_GATEWAY_PROXY}/v1`; `LLM_BASE_URL`; OpenAI's own. Variables `OPENAI_…` are ignored.
   *
   * ```ts
   * const llm = await job.llmClient();
   * const answer = await llm.chat.completions.create({ model: DEFAULT_LLM_MODEL, messages });
   * ```
   *
   * @throws LlmPackageError when `openai` is not installed: it is an optional peer dependency, version 6 or 7
   * @throws LlmConfigurationError when there is no key, or a key or an address is invalid
   */
  async llmClient(options: LlmOptions = {}): Promise<LlmClient> {
    const { createLlmClient } = await import("../../outside/llm/llm-client.ts");
    return createLlmClient(this, options, process.env, await (this.#job.span ?? this.#job).modelCalls?.());
  }

  /**
   * Aborted when the job ends without a result (it is cancelled, has timed out or failed), or the service must stop.
   * Pass it to calls that take a signal. Its listeners run in the job.
   */
  get signal(): AbortSignal {
    return this.#job.signal;
  }

  /**
   * Asks the user who waits for the job, by a form that is made from `T`: one value, or a flat object of text, numbers,
   * booleans and choices. Resolves to the answer, which matches `T`.
   *
   * ```ts
   * if (!(await job.ask<boolean>(`Delete ${count} files?`))) return;
   * ```
   *
   * Ask before you act. After a restart of the service, or when another instance gets the answer, the function runs
   * again from its start and finds the answers so far.
   *
   * @param form Made by the plugin.
   * @throws DeclinedError when the user says no or closes the question
   * @throws ToolError when the caller cannot be asked: over REST, in a batch, by a client without that capability
   */
  async ask<T>(message: string, options: AskOptions = {}, form?: AskForm): Promise<T> {
    return (await (await this.#asks()).ask(message, options, form)) as T;
  }

  /**
   * Sends an MCP request to the client that waits for the job, and resolves to its unchanged result. For requests that
   * {@link ask} does not cover. Sampling and roots are deprecated parts of the protocol.
   *
   * @throws MissingCapabilityError when the client has not declared the capability
   */
  async request(method: ClientMethod, params: JsonObject = {}, options: AskOptions = {}): Promise<JsonObject> {
    return (await this.#asks()).request(method, params, options);
  }

  /** True when the waiting client has the capability. */
  can(capability: ClientCapability): boolean {
    return this.#job.client?.can(capability) === true;
  }

  /** Loads the code for questions on demand, since most jobs ask nothing. */
  #asks(): Promise<Asker> {
    // A job that only waits beside its question must not leave before the question is asked.
    return (this.#asker ??= stayDuring(this.#job, async () => new (await import("./ask.ts")).Asker(this.#job)));
  }

  /**
   * Runs a function once for the whole job, and keeps what it returns under the step's name. A later attempt, after a
   * crash, a deploy or a long wait, gets the kept value, and the function does not run. The value is validated, encoded
   * and decoded by its type, also in the first attempt.
   *
   * ```ts
   * const charge = await job.step("charge", ({ idempotencyKey }) => bank.charge(request.order, { idempotencyKey }));
   * for (const item of charge.items) await job.step("ship", { key: item.id, attempts: 8 }, () => ship(item));
   * ```
   *
   * At least once: a crash between the function's effect and its end runs it again, with the same `idempotencyKey`.
   *
   * @param codec Made by the plugin.
   * @throws StepError when the step has used up its tries; later attempts throw it again
   * @throws StepInterruptedError for a step with `atMostOnce` whose end is not known
   */
  step<T>(name: string, run: (step: StepAttempt) => T | Promise<T>): Promise<T>;
  step<T>(name: string, options: KeptStepOptions, run: (step: StepAttempt) => T | Promise<T>): Promise<T>;
  async step(name: string, ...given: readonly unknown[]): Promise<unknown> {
    const isShort = typeof given[0] === "function";
    const [options, run, codec] = isShort ? [{}, ...given] : given;
    const steps = await this.#keeps();
    return steps.step(name, (options ?? {}) as KeptStepOptions, run as () => unknown, codec as KeptCodec | undefined);
  }

  /**
   * Waits for a time or until a date. The end is fixed by the first call, and stored. For more than a minute the job
   * leaves its process and continues in another attempt, which runs the function from its start and gets the results of
   * its steps.
   */
  async sleep(time: Duration | Date, options: SleepOptions = {}): Promise<void> {
    return (await this.#keeps()).waits.sleep(time, options);
  }

  /**
   * Waits for a message from outside, which every caller of the service may send: `POST /jobs/{id}/messages/{name}`.
   * The message is validated against `T`, and may arrive before the wait. After a minute the job leaves its process as
   * in {@link sleep}. To ask the caller's own user, see {@link ask}.
   *
   * @param codec Made by the plugin.
   * @throws WaitTimeoutError after `within`; later attempts throw it again
   */
  async wait<T>(name: string, options: MessageOptions = {}, codec?: KeptCodec): Promise<T> {
    return (await (await this.#keeps()).waits.wait(name, options, codec)) as T;
  }

  /** Loads the code for steps on demand, since most jobs store nothing. */
  #keeps(): Promise<Steps> {
    return (this.#steps ??= import("./steps.ts").then(({ Steps: Made }) => new Made(this.#job, this.report)));
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

/** Returns the context of a job, the same object for each call. */
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
