import { ToolError } from "../../base/errors.ts";
import { KeptParts, type KeptPartsOptions } from "./kept-parts.ts";
import { leaseSeconds, workerName } from "./lending.ts";
import type { Job, JobEvent, JobOutcome, JobUrn, Submission } from "../../job/job.ts";
import { newJob } from "./new-job.ts";
import type { JsonObject } from "../../contract/contract.ts";
import type { RunningJob } from "../running/running-job.ts";
import { settleJob } from "./settle-job.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { StoreWrites } from "./store-writes.ts";
import type { JobStore, Lease, SubmitAnswer, WriteAnswer } from "../store/job-store.ts";
import type { MaybePromise } from "../store/maybe-promise.ts";

interface Entry {
  readonly job: RunningJob;
  readonly kept: Promise<void> | undefined;
  lease: Lease | undefined;
  /** Set while the outcome, or the parking, of the job is being written. */
  left?: Promise<unknown>;
  /** Stops listening for changes that other processes make. */
  unwatch?: () => void;
}

export interface JobKeeperOptions extends Omit<KeptPartsOptions, "writes" | "held" | "takeUp"> {
  /** Creates a job from the record of an earlier process or attempt. */
  readonly create: (id: JobUrn, submission: Submission) => RunningJob;
  readonly run: (job: RunningJob) => void;
}

/** The stored jobs that run in this process. Puts jobs into the store and writes their outcomes. */
export class JobKeeper {
  readonly #options: JobKeeperOptions;
  readonly #store: JobStore;
  readonly #entries = new Map<JobUrn, Entry>();
  readonly #writes = new StoreWrites();
  readonly #parts: KeptParts;

  constructor(options: JobKeeperOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#parts = new KeptParts({
      ...options,
      writes: this.#writes,
      held: () => this.#entries.values(),
      takeUp: (lease, submission) => this.#takeUp(lease, submission),
    });
  }

  /**
   * Returns the job with an id, if it runs here and its outcome is not stored yet. Throws when the job belongs to
   * another caller.
   */
  live(id: JobUrn, owner: string | undefined): RunningJob | undefined {
    const job = this.#entries.get(id)?.job;
    if (job !== undefined && job.owner !== owner) throw conflict();
    return job;
  }

  /**
   * Stores a job with an id or key before it runs. Returns the job, or the existing job with the same id or key.
   *
   * @param isLent True if no slot is free here: any process with a free slot may then run the job
   */
  admit(job: RunningJob, isLent: boolean): MaybePromise<Job> {
    const answer = this.#submit(job, isLent);
    const known = answer instanceof Promise ? undefined : this.#admitted(job, answer);
    if (known !== undefined && !(known instanceof Promise)) return known;
    // Registered before the store answers, so that a second call with the same id or key finds this job.
    const admitted = known ?? Promise.resolve(answer).then((value) => this.#admitted(job, value));
    const kept = admitted.then(
      (known) => {
        if (known !== job) this.#forget(job);
      },
      () => this.#forget(job),
    );
    this.#entries.set(job.id, { job, kept, lease: undefined });
    return admitted;
  }

  /**
   * Stores a job that waits for a slot, so that any process with a free slot can run it. Resolves with the stored job.
   */
  async lend(job: RunningJob): Promise<Job> {
    return this.#admitted(job, await this.#submit(job, true));
  }

  /** Stores a job that is already running. */
  async keep(job: RunningJob): Promise<void> {
    const known = this.#entries.get(job.id);
    if (known !== undefined) return known.kept;
    if (job.kept) return;
    const submitted = this.#submit(job, false);
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

  /** Stores the job if necessary, and opens the record of its steps. */
  async book(job: RunningJob): Promise<StepBook> {
    // A job that the platform handed out is not stored again, since the platform stores it.
    if (job.attempt === undefined) await this.keep(job);
    const lease = this.#entries.get(job.id)?.lease;
    const { openBook } = await import("./keep-steps.ts");
    return this.#options.outside(() => openBook({ job, lease, store: this.#store, writes: this.#writes }));
  }

  async find(id: JobUrn, owner: string | undefined): Promise<Job | undefined> {
    // While the job was being stored, the store may have found that another process runs a job with the same id or key.
    const named = this.#entries.get(id);
    if (named?.job.kept === false) await named.kept;
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry.job.owner === owner ? entry.job : undefined;
    const record = await this.#options.outside(() => this.#store.get(id));
    return record === undefined || record.owner !== owner ? undefined : this.#parts.open(record);
  }

  async cancel(id: JobUrn, reason: string, owner: string | undefined): Promise<Job | undefined> {
    const job = await this.find(id, owner);
    if (job === undefined || job.outcome !== undefined) return job;
    if (this.#entries.get(id)?.job === job) {
      job.cancel(reason);
      // Callers of the job are notified only after its outcome is stored, as for any other end.
      await job.done;
      return job;
    }
    await this.#options.outside(() => this.#store.cancel(id, reason));
    return this.find(id, owner);
  }

  /** Looks for jobs in the store that can run here. */
  look(): void {
    this.#writes.add(this.#parts.rounds().then((rounds) => rounds.go()));
  }

  /**
   * Delivers answers to the questions of a stored job, whichever process runs it. False for a job that cannot be found.
   */
  answer(id: JobUrn, answers: JsonObject, owner: string | undefined): Promise<boolean> {
    const running = this.#entries.get(id)?.job;
    return this.#parts.ask((code) => code.deliverAnswers(this.#store, running, { id, answers, owner }));
  }

  /**
   * Cancels a job that waits for its turn or is parked, because its caller has disconnected or was refused. A job that
   * has ended is not changed.
   */
  drop(job: RunningJob, reason: string): void {
    const entry = this.#entries.get(job.id);
    const cancel = (): MaybePromise<unknown> => this.#options.outside(() => this.#store.cancel(job.id, reason));
    // The store refuses the parking of a job that is cancelled before it is written.
    this.#writes.add(entry?.job === job && entry.left !== undefined ? entry.left.then(cancel) : cancel());
  }

  /** Called when a slot of a tool is free. */
  freed(tool: string): void {
    if (this.#parts.hasRounds) this.#parts.freed(tool);
  }

  /** Resumes jobs of an earlier process, and from then on jobs whose worker was lost. */
  async resume(): Promise<void> {
    if (this.#store.isEmpty !== true) await (await this.#parts.rounds()).go();
  }

  /**
   * Stores the outcome of a durable job. Until it is stored, {@link live} finds the job here. With an asynchronous
   * store, returns a promise of the stored outcome, which is that of another attempt if this one has lost its lease.
   */
  ended(job: RunningJob, outcome: JobOutcome): Promise<JobOutcome> | undefined {
    const entry = job.kept ? this.#entries.get(job.id) : undefined;
    if (entry?.job !== job || entry.lease === undefined) return undefined;
    const { lease } = entry;
    const settled = this.#options.outside(() => this.#settle(entry, lease, outcome));
    this.#writes.add(settled);
    if (settled instanceof Promise) entry.left = settled;
    else return settled === "ok" && job.parking === undefined ? undefined : this.#recorded(job, outcome);
    return settled.then(
      (answer) => (answer === "ok" && job.parking === undefined ? outcome : this.#recorded(job, outcome)),
      () => outcome,
    );
  }

  /** Resolves when all outcomes are stored. */
  async settled(): Promise<void> {
    await this.#parts.stopRounds();
    await this.#writes.settled();
    this.#parts.stopFollowing();
  }

  /**
   * Returns the outcome of a job that continues in another process, or later. A parked job is followed only when
   * somebody waits for it.
   */
  async #recorded(job: RunningJob, outcome: JobOutcome): Promise<JobOutcome> {
    if (job.parking !== undefined) {
      this.#parts.parked(job.parking);
      await job.heard;
    }
    return this.#parts.recorded(job, outcome);
  }

  #submit(job: RunningJob, isLent: boolean): MaybePromise<SubmitAnswer> {
    // Starts the periodic work for a job that waits for its turn too, since this work must find the job when its turn
    // comes.
    this.#writes.add(this.#parts.rounds());
    return this.#options.outside(() =>
      this.#store.submit(newJob(job), isLent ? undefined : leaseSeconds, workerName(this.#store)),
    );
  }

  #admitted(job: RunningJob, answer: SubmitAnswer): MaybePromise<Job> {
    if (answer.kind === "conflict") throw conflict();
    if (answer.kind === "existing") {
      if (answer.record.owner !== job.owner || answer.record.tool !== job.tool.name) throw conflict();
      const live = this.#entries.get(answer.record.id);
      // An entry without a lease is the new job itself, or that of another caller, who may leave before this one.
      return live?.lease === undefined ? this.#parts.open(answer.record) : live.job;
    }
    if (answer.lease !== undefined) {
      void this.#claimed(job, answer.lease);
      return job;
    }
    // The job waits in the store. If a slot has become free here since then, this process may already have claimed it:
    // its entry is then the job that runs.
    const taken = this.#entries.get(job.id)?.job;
    return taken === undefined || taken === job ? this.#parts.open(job, answer.waiting) : taken;
  }

  /**
   * Called when this process has obtained the lease, so that only it may write the job's outcome. If the job has ended
   * already, resolves when its outcome is stored.
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
    // Others end it: another process, or a later call that replaces it.
    if (this.#store.isShared === true || job.tool.definition.limit?.beyond === "replace") {
      entry.unwatch = this.#store.watch(job.id, (change) => {
        // The reason is not needed here: the renewal of the lease returns it.
        if (change === "ended" && job.ending === undefined)
          this.#writes.add(this.#parts.rounds().then((rounds) => rounds.renew(entry)));
      });
    }
    this.#entries.set(job.id, entry);
    if (job.client !== undefined)
      this.#writes.add(this.#parts.ask((code) => code.keepQuestions(job, lease, this.#store, this.#writes)));
    const keep = (events: readonly JobEvent[]): MaybePromise<WriteAnswer> => {
      const rows = events.map(({ sequence, publicBody: body }) => ({ sequence, body }));
      const write = this.#options.outside(() => this.#store.progress(lease, rows));
      this.#writes.add(write);
      return write;
    };
    const earlier: JobEvent[] = [];
    job.events.follow((event) => void earlier.push(event))();
    if (earlier.length > 0) void keep(earlier);
    job.events.keep = keep;
    return job.ending === undefined ? undefined : this.ended(job, job.ending);
  }

  #forget(job: RunningJob): void {
    job.kept = false;
    if (this.#entries.get(job.id)?.job === job) this.#entries.delete(job.id);
  }

  #settle(entry: Entry, lease: Lease, outcome: JobOutcome): MaybePromise<WriteAnswer> {
    const answer = settleJob(this.#store, entry.job, lease, outcome);
    // A job whose outcome cannot be written stays findable here.
    const forget = (told: WriteAnswer): WriteAnswer => {
      entry.unwatch?.();
      if (this.#entries.get(entry.job.id) === entry) this.#entries.delete(entry.job.id);
      return told;
    };
    return answer instanceof Promise ? answer.then(forget) : forget(answer);
  }

  #takeUp(lease: Lease, submission: Submission): RunningJob {
    const { id } = lease;
    // The attempt may still run here, although this process has lost the lease.
    const held = this.#entries.get(id);
    held?.unwatch?.();
    if (held?.lease !== undefined && held.job.ending === undefined) held.job.cancel("The job was taken up again.");
    const job = this.#options.create(id, submission);
    void this.#claimed(job, lease);
    this.#options.run(job);
    return job;
  }
}

function leaseOf(answer: SubmitAnswer): Lease | undefined {
  return answer.kind === "created" ? answer.lease : undefined;
}

function conflict(): ToolError {
  return new ToolError("idempotency-conflict", "This job id or idempotency key belongs to another request.");
}
