import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { collectResult } from "../../job/result-bytes.ts";
import type { Every } from "../../base/every.ts";
import { FollowedJobs } from "./followed-jobs.ts";
import type { Job, JobOutcome, JobResult, JobUrn, Submission } from "../../job/job.ts";
import { newJob } from "./new-job.ts";
import type { RunningJob } from "../running/running-job.ts";
import { openEvent, storableOutcome } from "./stored-job.ts";
import { leaseSeconds, StoreRounds } from "./store-rounds.ts";
import { StoreWrites } from "./store-writes.ts";
import type { Claim, JobRecord, JobStore, Lease, MaybePromise } from "../store/job-store.ts";
import type { SubmitAnswer, WriteAnswer } from "../store/job-store.ts";

interface Entry {
  readonly job: RunningJob;
  readonly kept: Promise<void> | undefined;
  lease: Lease | undefined;
}

export interface JobKeeperOptions {
  readonly store: JobStore;
  readonly tools: readonly Tool[];
  /** Tools of earlier builds, whose jobs can still be found. */
  readonly retired: readonly Tool[];
  /** Calls a function outside of every job and request. */
  readonly outside: <T>(callback: () => T) => T;
  readonly every: Every;
  /** Creates a job from the record of an earlier process or attempt. */
  readonly create: (id: JobUrn, submission: Submission) => RunningJob;
  readonly run: (job: RunningJob) => void;
  /** False: leftover jobs are not resumed here. */
  readonly takesUp: () => boolean;
}

/** The stored jobs of this process: puts them into the store and writes their outcomes. */
export class JobKeeper {
  readonly #options: JobKeeperOptions;
  readonly #store: JobStore;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #retired: ReadonlyMap<string, Tool>;
  readonly #entries = new Map<JobUrn, Entry>();
  readonly #writes = new StoreWrites();
  readonly #followed: FollowedJobs;
  readonly #rounds: StoreRounds;

  constructor(options: JobKeeperOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
    this.#retired = new Map(options.retired.map((tool) => [tool.name, tool]));
    this.#followed = new FollowedJobs(options.store, options.every);
    this.#rounds = new StoreRounds({
      ...options,
      tools: options.tools.map(({ name }) => name),
      writes: this.#writes,
      held: () => this.#entries.values(),
      takeUp: (claim) => this.#takeUp(claim),
    });
  }

  /**
   * The job with an id, if it runs here and its outcome is not stored yet. Throws when it belongs to another caller.
   */
  live(id: JobUrn, owner: string | undefined): RunningJob | undefined {
    const job = this.#entries.get(id)?.job;
    if (job !== undefined && job.owner !== owner) throw conflict();
    return job;
  }

  /** Stores a named job before it runs. Returns that job, or the existing one of that name. */
  admit(job: RunningJob): MaybePromise<Job> {
    const answer = this.#submit(job);
    if (!(answer instanceof Promise)) return this.#admitted(job, answer);
    // From here on a second call with the same name finds this job, in whatever order the store answers.
    const admitted = answer.then((value) => this.#admitted(job, value));
    const kept = admitted.then(
      (known) => {
        if (known !== job) this.#forget(job);
      },
      () => this.#forget(job),
    );
    this.#entries.set(job.id, { job, kept, lease: undefined });
    return admitted;
  }

  /** Stores a job that is already running. */
  async keep(job: RunningJob): Promise<void> {
    const known = this.#entries.get(job.id);
    if (known !== undefined) return known.kept;
    if (job.kept) return;
    const submitted = this.#submit(job);
    if (!(submitted instanceof Promise)) {
      await this.#claimed(job, leaseOf(submitted));
      return;
    }
    const kept = submitted
      .then(async (answer) => void (await this.#claimed(job, leaseOf(answer))))
      .catch((error: unknown) => {
        this.#forget(job);
        throw error;
      });
    job.kept = true;
    this.#entries.set(job.id, { job, kept, lease: undefined });
    return kept;
  }

  async find(id: JobUrn, owner: string | undefined): Promise<Job | undefined> {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry.job.owner === owner ? entry.job : undefined;
    const record = await this.#options.outside(() => this.#store.get(id));
    return record === undefined || record.owner !== owner ? undefined : this.#open(record);
  }

  async cancel(id: JobUrn, reason: string, owner: string | undefined): Promise<Job | undefined> {
    const job = await this.find(id, owner);
    if (job === undefined || job.outcome !== undefined) return job;
    if (this.#entries.get(id)?.job === job) {
      job.cancel(reason);
      // Its callers are notified after the outcome is stored, as for any other end.
      await job.done;
      return job;
    }
    await this.#options.outside(() => this.#store.cancel(id, reason));
    return this.find(id, owner);
  }

  /** Resumes jobs of an earlier process, and from then on jobs that lose their worker. */
  resume(): Promise<void> {
    this.#rounds.start();
    return this.#rounds.go();
  }

  /**
   * Stores the outcome of a kept job, which can be found here until then. With an asynchronous store it returns a
   * promise of the stored outcome. That is another one if the job's lease was lost.
   */
  ended(job: RunningJob, outcome: JobOutcome): Promise<JobOutcome> | undefined {
    const entry = job.kept ? this.#entries.get(job.id) : undefined;
    if (entry?.job !== job || entry.lease === undefined) return undefined;
    const { lease } = entry;
    const settled = this.#options.outside(() => this.#settle(entry, lease, outcome));
    this.#writes.add(settled);
    if (!(settled instanceof Promise)) return settled === "ok" ? undefined : this.#recorded(job, outcome);
    return settled.then(
      (answer) => (answer === "ok" ? outcome : this.#recorded(job, outcome)),
      () => outcome,
    );
  }

  /** Resolves when all outcomes are stored. */
  async settled(): Promise<void> {
    await this.#rounds.stop();
    await this.#writes.settled();
    this.#followed.stop();
  }

  #submit(job: RunningJob): MaybePromise<SubmitAnswer> {
    return this.#options.outside(() => this.#store.submit(newJob(job), leaseSeconds));
  }

  #admitted(job: RunningJob, answer: SubmitAnswer): Job {
    if (answer.kind === "conflict") throw conflict();
    if (answer.kind === "existing") {
      if (answer.record.owner !== job.owner || answer.record.tool !== job.tool.name) throw conflict();
      const live = this.#entries.get(answer.record.id)?.job;
      // The requesting job is itself among the entries, and does not run yet.
      return live === undefined || live === job ? this.#open(answer.record) : live;
    }
    void this.#claimed(job, answer.lease);
    return job;
  }

  /**
   * From here on only this process may write the job's outcome. Resolves when the outcome of an ended job is stored.
   */
  #claimed(job: RunningJob, lease: Lease | undefined): MaybePromise<unknown> {
    if (lease === undefined) {
      this.#forget(job);
      throw new ToolError("system", "The job could not be kept.", { cause: new Error("the store gave no lease") });
    }
    const known = this.#entries.get(job.id);
    const entry: Entry = known?.job === job ? known : { job, kept: undefined, lease };
    entry.lease = lease;
    job.kept = true;
    this.#entries.set(job.id, entry);
    this.#rounds.start();
    job.onEvent(({ sequence, publicBody }) => {
      this.#writes.add(this.#options.outside(() => this.#store.progress(lease, [{ sequence, body: publicBody }])));
    });
    return job.ending === undefined ? undefined : this.ended(job, job.ending);
  }

  #forget(job: RunningJob): void {
    job.kept = false;
    if (this.#entries.get(job.id)?.job === job) this.#entries.delete(job.id);
  }

  #settle(entry: Entry, lease: Lease, outcome: JobOutcome): MaybePromise<WriteAnswer> {
    if (outcome.state === "succeeded" && isStream(outcome.result)) {
      const collected = collectResult(outcome.result);
      return collected.then((result) => this.#settle(entry, lease, { state: "succeeded", result }));
    }
    const answer = this.#store.settle(lease, storableOutcome(outcome));
    const forget = (told: WriteAnswer): WriteAnswer => {
      if (this.#entries.get(entry.job.id) === entry) this.#entries.delete(entry.job.id);
      return told;
    };
    return answer instanceof Promise ? answer.then(forget) : forget(answer);
  }

  /** The outcome of a job that another worker has ended or will end. */
  async #recorded({ id, tool }: RunningJob, own: JobOutcome): Promise<JobOutcome> {
    const record = await this.#store.get(id);
    return record === undefined ? own : this.#followed.open(record, tool).done;
  }

  async #takeUp({ lease, job: left, lastSequence }: Claim): Promise<void> {
    const { id, tool: name, input, owner, caller, idempotency, traceparent, tracestate } = left;
    const tool = this.#tools.get(name);
    if (tool === undefined) return;
    // This process lost the lease, but the job may still run here.
    this.#entries.get(id)?.job.cancel("The job was taken up again.");
    const record = lastSequence === 0 ? undefined : await this.#store.get(id);
    const earlier = record?.events.map(openEvent);
    const job = this.#options.create(id, {
      tool,
      input,
      id,
      owner,
      caller,
      idempotency,
      traceparent,
      tracestate,
      earlier,
    });
    void this.#claimed(job, lease);
    this.#options.run(job);
  }

  #open(record: JobRecord): Job {
    const tool = this.#tools.get(record.tool) ?? this.#retired.get(record.tool);
    if (tool === undefined) throw new ToolError("not-found", "The job does not exist, or has expired.");
    return this.#options.outside(() => this.#followed.open(record, tool));
  }
}

function isStream(result: JobResult): boolean {
  return result.kind === "binary" && result.content instanceof ReadableStream;
}

function leaseOf(answer: SubmitAnswer): Lease | undefined {
  return answer.kind === "created" ? answer.lease : undefined;
}

function conflict(): ToolError {
  return new ToolError("idempotency-conflict", "This job id or idempotency key belongs to another request.");
}
