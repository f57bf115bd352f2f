import { ToolError } from "../errors.ts";
import type { Tool } from "../tool.ts";
import { getLogger } from "../telemetry/logging.ts";
import { describeThrown } from "../telemetry/describe-thrown.ts";
import { collectResult } from "./encode-result.ts";
import type { Job, JobOutcome, JobUrn, Submission } from "./job.ts";
import { RunningJob } from "./running-job.ts";
import { openOutcome, storableOutcome, StoredJob } from "./stored-job.ts";
import type { JobRecord, JobStore, Lease, MaybePromise, NewJob, SubmitAnswer } from "./store/job-store.ts";

const leaseSeconds = 15;
const defaultTtl = 3600;
const maxAttempts = 3;

interface Entry {
  readonly job: RunningJob;
  readonly kept: Promise<void> | undefined;
  lease: Lease | undefined;
}

/** The jobs of this process that somebody may ask for again: puts them into the store and writes their end. */
export class JobKeeper {
  readonly #store: JobStore;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #outside: <T>(callback: () => T) => T;
  readonly #entries = new Map<JobUrn, Entry>();
  readonly #writes = new Set<Promise<unknown>>();
  #renewal: NodeJS.Timeout | undefined;

  constructor(store: JobStore, tools: readonly Tool[], outside: <T>(callback: () => T) => T) {
    this.#store = store;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#outside = outside;
  }

  /** The kept job of this process with an id, when it has not been written yet. Throws when it is another caller's. */
  live(id: JobUrn, owner: string | undefined): RunningJob | undefined {
    const job = this.#entries.get(id)?.job;
    if (job !== undefined && job.owner !== owner) throw conflict();
    return job;
  }

  /** Takes a named job in before it runs. The answer is that job, or the one that already has its name. */
  admit(job: RunningJob): MaybePromise<Job> {
    const answer = this.#outside(() => this.#store.submit(newJob(job)));
    if (!(answer instanceof Promise)) return this.#admitted(job, answer);
    // From now on a second call with the same name finds this one, in whatever order the store answers.
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

  /** Takes a job in that is running already. */
  async keep(job: Job): Promise<void> {
    if (!(job instanceof RunningJob)) return;
    const known = this.#entries.get(job.id);
    if (known !== undefined) return known.kept;
    if (job.kept) return;
    const submitted = this.#outside(() => this.#store.submit(newJob(job)));
    if (!(submitted instanceof Promise)) return this.#enter(job);
    const kept = submitted
      .then(() => this.#enter(job))
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
    const record = await this.#outside(() => this.#store.get(id));
    return record === undefined || record.owner !== owner ? undefined : this.#open(record);
  }

  async cancel(id: JobUrn, reason: string, owner: string | undefined): Promise<Job | undefined> {
    const job = await this.find(id, owner);
    if (job instanceof RunningJob) job.cancel(reason);
    else if (job !== undefined && job.outcome === undefined) {
      await this.#outside(() => this.#store.cancel(id, reason));
      return this.find(id, owner);
    }
    return job;
  }

  /** Claims what an earlier process left behind: jobs of our tools that wait, or whose worker is gone. */
  async *leftOver(create: (id: JobUrn, submission: Submission) => RunningJob): AsyncGenerator<RunningJob> {
    await this.#store.reap();
    for (;;) {
      const claim = await this.#store.claim({ seconds: leaseSeconds, tools: [...this.#tools.keys()] });
      if (claim === undefined) return;
      const { id, tool: name, input, owner, idempotency, traceparent, tracestate } = claim.job;
      const tool = this.#tools.get(name);
      if (tool === undefined) return;
      const job = create(id, { tool, input, id, owner, idempotency, traceparent, tracestate });
      job.kept = true;
      const entry: Entry = { job, kept: undefined, lease: undefined };
      this.#entries.set(id, entry);
      this.#claimed(entry, claim.lease);
      yield job;
    }
  }

  /** Writes the end of a kept job. It stays findable here until the store has it. */
  ended(job: RunningJob): void {
    if (!job.kept) return;
    const entry = this.#entries.get(job.id);
    if (entry?.lease !== undefined) this.#write(this.#outside(() => this.#settle(job, entry)));
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes);
    clearInterval(this.#renewal);
    this.#renewal = undefined;
  }

  #admitted(job: RunningJob, answer: SubmitAnswer): MaybePromise<Job> {
    if (answer.kind === "conflict") throw conflict();
    if (answer.kind === "existing") {
      if (answer.record.owner !== job.owner || answer.record.tool !== job.tool.name) throw conflict();
      return this.#entries.get(answer.record.id)?.job ?? this.#open(answer.record);
    }
    const entered = this.#enter(job);
    return entered instanceof Promise ? entered.then(() => job) : job;
  }

  /** Claims a submitted job, so that only this process may write its end. */
  #enter(job: RunningJob): MaybePromise<void> {
    job.kept = true;
    const entry: Entry = this.#entries.get(job.id) ?? { job, kept: undefined, lease: undefined };
    this.#entries.set(job.id, entry);
    const claim = this.#outside(() => this.#store.claim({ id: job.id, seconds: leaseSeconds }));
    if (claim instanceof Promise) return claim.then((value) => this.#claimed(entry, value?.lease));
    this.#claimed(entry, claim?.lease);
  }

  #claimed(entry: Entry, lease: Lease | undefined): void {
    const { job } = entry;
    if (lease === undefined) {
      this.#forget(job);
      throw new ToolError("system", "The job could not be kept.", { cause: new Error("the store gave no claim") });
    }
    entry.lease = lease;
    this.#outside(() => {
      this.#renewal ??= setInterval(() => this.#renew(), (leaseSeconds * 1000) / 3).unref();
    });
    job.onEvent(({ sequence, publicBody }) => {
      this.#write(this.#outside(() => this.#store.progress(lease, [{ sequence, body: publicBody }])));
    });
    if (job.outcome !== undefined) this.ended(job);
  }

  #forget(job: RunningJob): void {
    job.kept = false;
    this.#entries.delete(job.id);
  }

  async #settle(job: RunningJob, entry: Entry): Promise<void> {
    if (job.outcome === undefined || entry.lease === undefined) return;
    let outcome: JobOutcome = job.outcome;
    if (outcome.state === "succeeded") outcome = { ...outcome, result: await collectResult(outcome.result) };
    await this.#store.settle(entry.lease, storableOutcome(outcome));
    this.#entries.delete(job.id);
  }

  #renew(): void {
    if (this.#entries.size === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
    }
    for (const { job, lease } of this.#entries.values()) {
      if (lease === undefined || job.outcome !== undefined) continue;
      this.#write(
        (async (): Promise<void> => {
          const answer = await this.#store.renew(lease, leaseSeconds);
          if (typeof answer === "object") job.cancel(answer.cancel);
          else if (answer !== "ok") job.cancel("The job was given to another worker, or is gone.");
        })(),
      );
    }
  }

  #write(write: MaybePromise<unknown>): void {
    if (!(write instanceof Promise)) return;
    const logged = write.catch((error: unknown) => {
      getLogger("tenon").error({ error: describeThrown(error) }, "the job store failed");
    });
    this.#writes.add(logged);
    void logged.finally(() => this.#writes.delete(logged));
  }

  #open(record: JobRecord): Job | never {
    const tool = this.#tools.get(record.tool);
    if (tool === undefined) throw new ToolError("not-found", "There is no such job, or no longer.");
    return new StoredJob(record, tool, record.outcome === undefined ? undefined : openOutcome(record.outcome));
  }
}

function newJob(job: RunningJob): NewJob {
  const { idempotency } = job.submission;
  return {
    id: job.id,
    tool: job.tool.name,
    input: job.input,
    ...(job.owner === undefined ? {} : { owner: job.owner }),
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(job.traceparent === undefined ? {} : { traceparent: job.traceparent }),
    ...(job.tracestate === undefined ? {} : { tracestate: job.tracestate }),
    ttl: job.tool.options.executorOpts?.jobCacheTtl ?? defaultTtl,
    maxAttempts: job.tool.definition.annotations.idempotentHint === true ? maxAttempts : 1,
  };
}

function conflict(): ToolError {
  return new ToolError("idempotency-conflict", "This job id or idempotency key belongs to another request.");
}
