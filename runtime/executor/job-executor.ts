import { AsyncLocalStorage } from "../base/async-hooks.ts";
import { ToolError } from "../base/errors.ts";
import type { JsonObject } from "../contract/contract.ts";
import type { StepBook } from "../job/steps/step-book.ts";
import type { EventSink } from "../job/sink.ts";
import { noPlatform, type PlatformSettings } from "../service/config/platform-settings.ts";
import type { JobObserver } from "../job/job-span.ts";
import { systemEvery } from "../base/every.ts";
import { newJobUrn } from "../job/job-id.ts";
import type { Job, JobOutcome, JobUrn, Submission } from "../job/job.ts";
import type { JobHost } from "./running/job-host.ts";
import { JobKeeper } from "./kept/job-keeper.ts";
import { LinkedJobs } from "./running/linked-jobs.ts";
import type { Lane } from "./running/lane.ts";
import { mayLend } from "./kept/lending.ts";
import { Lanes } from "./lanes.ts";
import { endFailed } from "./run/run-job.ts";
import { conflictError, drainingError, unansweredError } from "./running/refusals.ts";
import type { SharedBudget } from "./running/request-budget.ts";
import { RunningJob } from "./running/running-job.ts";
import type { MessageSender } from "../job/steps/message.ts";
import type { Message } from "./kept/send-message.ts";
import type { Tool } from "../service/tools/tool.ts";
import type { JobStore } from "./store/job-store.ts";
import { createThreads, type Threads } from "./threads/threads.ts";
import type { Executor, ExecutorOptions } from "./executor.ts";

/** Milliseconds that an aborted job may take for its cleanup. */
const abortPatience = 2000;

/** An executor for the tools of a service. */
export function createExecutor(options: ExecutorOptions): Executor {
  return new JobExecutor(options);
}

class JobExecutor implements Executor, JobHost<RunningJob> {
  readonly sinks: readonly EventSink[];
  observer: JobObserver | undefined;
  readonly platform: PlatformSettings;
  readonly store: JobStore;
  readonly requests: SharedBudget;
  readonly #lanes: Lanes;
  readonly #jobs = new LinkedJobs();
  /**
   * Objects for jobs whose callers wait in this process, while the job itself runs as another object or in another
   * process.
   */
  readonly #standIns = new Set<RunningJob>();
  readonly #keeper: JobKeeper;
  readonly #threads: Threads | undefined;
  // Restores an empty context: work that a free slot starts must not inherit the context of the job or request that
  // freed the slot.
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #tools: ReadonlyMap<string, Tool>;
  #draining = false;

  constructor(options: ExecutorOptions) {
    this.sinks = options.sinks ?? [];
    this.observer = options.observer;
    this.platform = options.platform ?? noPlatform;
    this.store = options.store;
    this.requests = options.requests ?? {};
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
    this.#keeper = new JobKeeper({
      store: options.store,
      tools: options.tools,
      retired: options.retired ?? [],
      outside: this.#outside,
      every: options.every ?? systemEvery,
      create: (id, submission) => {
        // The stored job lacks the client and the token of the call, so both are taken from a job whose caller waits
        // here.
        const standIn = this.#standInOf(id);
        const { client, authorization } = standIn?.submission ?? submission;
        const lane = this.#lanes.of(submission.tool);
        if (standIn !== undefined) lane.remove(standIn);
        return new RunningJob(id, { ...submission, client, authorization }, lane, this);
      },
      run: (job) => this.#enter(job, this.#lanes.of(job.tool)),
      takesUp: () => !this.#draining,
      room: (name) => this.#lanes.free(name),
    });
    this.#threads = options.threads === false ? undefined : createThreads(options.tools, this.platform);
    this.#lanes = new Lanes(options.tools, this.#threads, { outside: this.#outside, requests: this.requests });
  }

  get draining(): boolean {
    return this.#draining;
  }

  get jobs(): readonly RunningJob[] {
    return this.#jobs.toArray();
  }

  start(submission: Submission): Job {
    if (this.#draining) throw drainingError();
    const lane = this.#lanes.of(submission.tool);
    if ((isUnnamed(submission) && submission.tool.functions.limits === undefined) || submission.attempt !== undefined) {
      const job = new RunningJob(submission.id ?? newJobUrn(), submission, lane, this);
      lane.checkRoom(job);
      return this.#enter(job, lane);
    }
    return this.#startNamed(submission, lane);
  }

  async keep(job: Job): Promise<void> {
    if (!(job instanceof RunningJob)) return;
    // The stored job may have begun since it was read, here or in another process.
    if (job.known !== undefined) job.known = (await this.find(job.id, job.owner).catch(() => {})) ?? job.known;
    else await this.#store(job);
    // Set last: a caller whose job has ended meanwhile gets that end, and does not ask for the job later.
    job.isPromised = true;
  }

  async #store(job: RunningJob): Promise<void> {
    const lane = this.#lanes.of(job.tool);
    if (lane.waitsSince(job) === undefined || !mayLend(this.store, job)) return this.#keeper.keep(job);
    lane.lend(job);
    this.#jobs.remove(job);
    try {
      this.#standIn(job, await this.#keeper.lend(job));
    } catch (error) {
      this.#jobs.add(job);
      lane.takeBack(job);
      throw error;
    }
  }

  find(id: JobUrn, owner?: string): Promise<Job | undefined> {
    return this.#keeper.find(id, owner);
  }

  cancel(id: JobUrn, reason: string, owner?: string): Promise<Job | undefined> {
    return this.#keeper.cancel(id, reason, owner);
  }

  answer(id: JobUrn, answers: JsonObject, owner?: string): Promise<boolean> {
    return this.#keeper.answer(id, answers, owner);
  }

  async send(message: Message, sender?: MessageSender): Promise<boolean> {
    const { sendMessage } = await import("./kept/send-message.ts");
    this.requests.budget?.checkStore();
    return this.#outside(() => sendMessage(this.store, this.#tools, message, sender));
  }

  async history({ id, outcome }: Pick<Job, "id" | "outcome">, hasValues = true): Promise<Buffer> {
    const { writeHistory, writeTimes } = await import("../job/steps/job-history.ts");
    const kept = await this.store.recall(id);
    return (hasValues ? writeHistory : writeTimes)(kept, outcome !== undefined);
  }

  async fork(old: Pick<Job, "id" | "tool">, from: string | undefined, owner?: string): Promise<Job> {
    const { forkJob } = await import("./kept/fork-job.ts");
    this.requests.budget?.checkStore();
    const checkRoom = (tool: Tool, waiting: number): void => this.#lanes.of(tool).checkStored(waiting);
    return this.#outside(() => forkJob({ store: this.store, keeper: this.#keeper, checkRoom }, { old, from, owner }));
  }

  resume(): Promise<void> {
    return this.#keeper.resume();
  }

  async drain(graceMs: number): Promise<number> {
    this.#draining = true;
    const error = new ToolError("draining", "The service stopped before the job had ended.", { retryAfter: 1 });
    // Jobs that wait for an answer are interrupted, since they may not get it in time; a later answer resumes the job
    // in another process.
    for (const job of this.#jobs.toArray()) if (job.suspended) job.interrupt(unansweredError());
    await this.#jobs.whenEmpty(graceMs);
    const left = this.#jobs.toArray();
    for (const job of left) job.interrupt(error);
    await this.#jobs.whenEmpty(abortPatience);
    for (const job of [...this.#jobs.toArray(), ...this.#standIns]) job.end({ state: "error", error });
    await this.#keeper.settled();
    await this.#threads?.close();
    await Promise.all(this.sinks.map((sink) => sink.close?.()));
    return left.length;
  }

  ended(job: RunningJob, outcome: JobOutcome): Promise<JobOutcome> | undefined {
    this.#jobs.remove(job);
    this.requests.budget?.ended(job);
    if (this.#standIns.delete(job)) this.#dropUnwanted(job, outcome);
    if (job.parking !== undefined) this.observer?.left?.(job);
    const written = this.#keeper.ended(job, outcome);
    if (job.began && !job.suspended) job.lane.release();
    else job.lane.remove(job);
    this.#keeper.freed(job.tool.name);
    return written;
  }

  returned(job: RunningJob): void {
    this.requests.budget?.settled(job);
  }

  drop(job: RunningJob, reason: string): void {
    if (job.kept) this.#keeper.drop(job, reason);
  }

  book(job: RunningJob): Promise<StepBook> {
    return this.#keeper.book(job);
  }

  told(job: RunningJob): void {
    // The attempt that continues a parked job tells of its end.
    if (job.parking === undefined) this.observer?.ended(job);
  }

  /**
   * Starts a job with an id or key. The job is stored before it runs, so that a second request with the same id or key
   * finds it.
   */
  #startNamed(submission: Submission, lane: Lane): Job {
    const live = submission.id === undefined ? undefined : this.#keeper.live(submission.id, submission.owner);
    if (live !== undefined) {
      if (live.tool !== submission.tool || differs(live.submission, submission)) throw conflictError();
      return live;
    }
    const job = new RunningJob(submission.id ?? newJobUrn(), submission, lane, this);
    lane.checkRoom(job);
    const isLent = lane.free === 0 && mayLend(this.store, job);
    const admitted = this.#keeper.admit(job, isLent);
    if (!(admitted instanceof Promise)) return admitted === job ? this.#enter(job, lane) : admitted;
    this.#jobs.add(job);
    this.#count(job);
    lane.lend(job);
    admitted.then(
      (known) => {
        if (known !== job) this.#standIn(job, known);
        else if (job.ending === undefined) lane.takeBack(job);
      },
      // A job that the store refuses has not begun, so there is nothing that `@retry` could try again.
      (error: unknown) => endFailed(job, error),
    );
    return job;
  }

  /**
   * Lets a job wait for the end of a stored job. This does not delay the shutdown, since its callers can ask another
   * process.
   */
  #standIn(job: RunningJob, known: Job): void {
    this.#jobs.remove(job);
    // Its caller may have left before the store has answered.
    if (job.ending !== undefined) return this.#dropUnwanted(job, job.ending);
    this.#standIns.add(job);
    // The job of another call counts as one, however many calls have joined it, and so does one that runs here already.
    if (known.id !== job.id || known instanceof RunningJob) job.lane.remove(job);
    this.requests.budget?.remove(job);
    if (known.id !== job.id) this.observer?.joined?.(job, known.id);
    job.standInFor(known);
  }

  /** Drops a stored job from the store when its caller here has gone, and nobody else can request it. */
  #dropUnwanted(job: RunningJob, outcome: JobOutcome): void {
    const { debounce, keep } = job.tool.definition;
    // A debounced job may be that of other callers too, who have joined it here or in other processes. A job of a tool
    // with `@keep` goes on at another process, unless its caller has cancelled it.
    const goesOn = debounce !== undefined || (keep === true && outcome.state !== "cancelled");
    const isWanted = goesOn || job.isPromised === true || !isUnnamed(job.submission);
    if (!isWanted && outcome.state !== "succeeded") this.#keeper.drop(job, outcome.error.message);
  }

  #standInOf(id: JobUrn): RunningJob | undefined {
    for (const job of this.#standIns) if (job.id === id) return job;
    return undefined;
  }

  /** Counts the memory of a job that did not end at once, until it ends or its request is elsewhere. */
  #count(job: RunningJob): void {
    const { requests } = this;
    if (requests.budget === undefined)
      requests.loading ??= import("./running/request-budget.ts").then(({ openBudget }) => openBudget(this));
    else requests.budget.add(job);
  }

  #enter(job: RunningJob, lane: Lane): Job {
    this.#jobs.add(job);
    lane.add(job);
    if (job.ending === undefined) this.#count(job);
    return job;
  }
}

function isUnnamed({ id, idempotency }: Submission): boolean {
  return id === undefined && idempotency === undefined;
}

function differs(one: Submission, other: Submission): boolean {
  const digest = other.idempotency?.digest;
  return digest !== undefined && one.idempotency !== undefined && one.idempotency.digest !== digest;
}
