// oxfmt-ignore
import type {
  Claim, ClaimOptions, JobRecord, Lease, NewJob, RenewAnswer, ReplyAnswer, SendAnswer, StoredEvent,
  StoredOutcome, SubmitAnswer, WriteAnswer,
} from "../job-store.ts";
import type { DeadLetter } from "../dead-letters.ts";
import type { JobAttempt } from "../attempts.ts";
import type { LastingStore } from "../lasting-store.ts";
import type { KeyQuery } from "../held-jobs.ts";
import type { ToolCounts } from "../job-counts.ts";
import type { ListedJob, ListFilter, ListPage } from "../listed-jobs.ts";
import { ToolError } from "../../../base/errors.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { KeptParts, NewMessage, Parking, StepWrite } from "../../../job/steps/kept-step.ts";
import type { Reply, Talk } from "../../../job/question.ts";
import { maxResultBytes, resultTooLarge } from "../../../job/result-bytes.ts";
import type { JobChange } from "../job-news.ts";
import type { PassesNotes } from "../passes-notes.ts";
import { keyOf, toColumns } from "../rows.ts";
import { answerVerb, cancelVerb, redriveVerb } from "./any-job.ts";
import { namedClaimVerb, oldestClaimVerb } from "./claim.ts";
import { callPatience, type Database } from "./connection/database.ts";
import type { Negotiation } from "./connection/tls.ts";
import { heldWrites, type HeldWrites } from "./held-writes.ts";
import { extendVerb, Housekeeping, interrupted, reapVerb } from "./housekeeping.ts";
import { eventText, gatheredVerb } from "./gathered-verb.ts";
import { keptVerbs, type KeptVerbs } from "./kept-verbs.ts";
import { LeaseWrites } from "./lease-writes.ts";
import { Listener } from "./listener.ts";
import { alarmOf } from "./limits.ts";
import { Lists } from "./lists.ts";
import { OrderedBatches, type Verb } from "./ordered-batches.ts";
import { closed, isPassing, toStoreError, toToolError, unavailable } from "./connection/postgres-error.ts";
import { getVerb } from "./reads.ts";
import { messageKinds } from "./channel.ts";
import { SharedNews } from "./shared-news.ts";
import { newSubmission, taken } from "./submission.ts";
import { submitVerb } from "./submit.ts";
import { StoreTrouble } from "./store-trouble.ts";
import { Tables } from "./tables.ts";
import type { PostgresStoreOptions } from "./store-options.ts";
import { ToolOwner } from "./tool-owner.ts";

/** The store of an open database; call {@link PostgresStore.begin} before anything else. */
export class PostgresStore implements LastingStore, PassesNotes {
  readonly isShared = true;
  readonly #database: Database;
  readonly #news = new SharedNews();
  readonly #listener: Listener;
  readonly #tables: Tables;
  readonly #owner: ToolOwner | undefined;
  readonly #trouble: StoreTrouble;
  readonly #lists: Lists;
  readonly #writes: OrderedBatches;
  /**
   * Batches of reads. They are separate from the writes, since reads see committed data and need not wait for writes.
   */
  readonly #reads: OrderedBatches;
  readonly #held: HeldWrites;
  readonly #kept: KeptVerbs;
  readonly #inLine: LeaseWrites;
  readonly #closed = new AbortController();
  readonly #get: Verb<string, JobRecord | undefined>;
  readonly #submit: ReturnType<typeof submitVerb>;
  readonly #claimNamed: ReturnType<typeof namedClaimVerb>;
  readonly #cancel: ReturnType<typeof cancelVerb>;
  readonly #answer: ReturnType<typeof answerVerb>;
  readonly #redrive: ReturnType<typeof redriveVerb>;
  readonly #reap: Verb<undefined, boolean>;
  readonly #extend: Verb<number, void>;
  #closing: Promise<void> | undefined;

  constructor(database: Database, options: PostgresStoreOptions, listen: Negotiation | undefined) {
    const { maxFinished = 10_000, perTool = new Map(), maxDeadLetters = 1000 } = options;
    const { deadLetterTtl = 14 * 86_400, now, user } = options;
    const alarm = alarmOf((verb) => this.#write(verb(this.#tables), undefined), this.#closed.signal);
    const tables = (this.#tables = new Tables(database, now, alarm, options));
    this.#owner = user && new ToolOwner(tables, user, database.address);
    this.#trouble = new StoreTrouble(database, tables.sql.probe, this.#owner);
    const housekeeping = new Housekeeping(tables, {
      maxFinished,
      perTool,
      maxDeadLetters,
      deadLetterTtl,
      see: this.#owner && (() => this.#owner?.see() ?? Promise.resolve()),
    });
    const finished = (tools: readonly string[]): Promise<void> => housekeeping.finished(tools);
    const hooks = { toError: (error: unknown) => this.#toError(error), isGeneral: isPassing };
    this.#database = database;
    this.#listener = new Listener({
      negotiation: listen ?? database.negotiation,
      schema: database.address.schema,
      news: this.#news,
      send: (channel, payload) => tables.query(tables.sql.send, channel, payload),
    });
    this.#lists = new Lists(tables);
    this.#writes = new OrderedBatches(hooks);
    this.#reads = new OrderedBatches({ ...hooks, patience: callPatience });
    this.#kept = keptVerbs(tables);
    this.#held = heldWrites(tables, { finished, buried: () => housekeeping.buried(), deadLetterTtl, interrupted });
    const gathered = gatheredVerb(tables);
    this.#inLine = new LeaseWrites({ closed: this.#closed.signal, write: (input) => this.#write(gathered, input) });
    this.#get = getVerb(tables);
    this.#submit = submitVerb(tables, { finished, gone: (rows) => housekeeping.gone(rows) });
    this.#claimNamed = namedClaimVerb(tables);
    this.#cancel = cancelVerb(tables, finished);
    this.#answer = answerVerb(tables);
    this.#redrive = redriveVerb(tables);
    this.#reap = reapVerb(housekeeping);
    this.#extend = extendVerb(tables);
  }

  /**
   * Subscribes to the notifications of all replicas. Throws a `StoreError` when the database cannot be used, or when
   * the tools belong to another service.
   */
  async begin(): Promise<void> {
    const { address } = this.#database;
    try {
      await this.#owner?.take();
    } catch (error) {
      throw toStoreError(error, address);
    }
    await this.#listener.start();
  }

  watch(id: JobUrn, listener: (change: JobChange) => void): () => void {
    return this.#news.watch(id, listener);
  }

  ready(listener: (tools: readonly string[] | undefined) => void): () => void {
    return this.#news.ready(listener);
  }

  async sendNote(text: string): Promise<void> {
    await this.#read(() => this.#listener.send(messageKinds.note + text));
  }

  onNote(listener: (text: string) => void): () => void {
    return this.#news.onNote(listener);
  }

  submit(job: NewJob, leaseSeconds?: number, worker?: string): Promise<SubmitAnswer> {
    const submission = newSubmission(job, leaseSeconds, worker);
    // The time includes the check whose tools these are.
    const until = performance.now() + callPatience;
    const submit = (): Promise<SubmitAnswer> =>
      taken(this.#write(this.#submit, submission, until - performance.now()), submission);
    return this.#owner === undefined ? submit() : this.#owner.act(submit, (why) => Promise.reject(unavailable(why)));
  }

  claim(options: ClaimOptions): Promise<Claim | undefined> {
    const claim = (): Promise<Claim | undefined> => this.#claim(options);
    return this.#owner === undefined ? claim() : this.#owner.act(claim, () => Promise.resolve(undefined));
  }

  trouble(): Promise<string | undefined> {
    return this.#trouble.why();
  }

  #claim(options: ClaimOptions): Promise<Claim | undefined> {
    const { seconds, id, worker } = options;
    if (id !== undefined) return this.#write(this.#claimNamed, { id, seconds, worker });
    return this.#write(oldestClaimVerb(this.#tables, options), worker);
  }

  renew(lease: Lease, seconds: number): Promise<RenewAnswer> {
    return this.#write(this.#held.renew, { lease, seconds });
  }

  progress(lease: Lease, events: readonly StoredEvent[]): Promise<WriteAnswer> {
    return this.#inLine.add(lease, { events: events.map(eventText) });
  }

  settle(lease: Lease, outcome: StoredOutcome): Promise<WriteAnswer> {
    const columns = toColumns(outcome);
    if (Buffer.byteLength(columns.content) > maxResultBytes)
      return Promise.reject(new ToolError("too-large", resultTooLarge));
    return this.#inLine.write(lease, () => this.#write(this.#held.settle, { lease, columns, outcome }));
  }

  release(lease: Lease, delay: number): Promise<WriteAnswer> {
    return this.#inLine.write(lease, () => this.#write(this.#held.release, { lease, delay }));
  }

  keep(lease: Lease, steps: readonly StepWrite[]): Promise<WriteAnswer> {
    return this.#inLine.add(lease, { steps });
  }

  park(lease: Lease, parking: Parking): Promise<WriteAnswer> {
    return this.#inLine.write(lease, () => this.#write(this.#kept.park, { lease, parking }));
  }

  send(id: JobUrn, message: NewMessage): Promise<SendAnswer> {
    return this.#write(this.#kept.send, { id, message }, callPatience);
  }

  fork(id: JobUrn, as: JobUrn, keys: readonly string[]): Promise<"ok" | "unknown"> {
    return this.#write(this.#kept.fork, { id, as, keys }, callPatience);
  }

  recall(id: JobUrn, only?: "messages"): Promise<KeptParts> {
    const verb = this.#kept[only ?? "recall"];
    return this.#closing === undefined ? this.#reads.call(verb, keyOf(id)) : Promise.reject(closed());
  }

  ask(lease: Lease, talk: Talk): Promise<WriteAnswer> {
    const text = JSON.stringify(talk);
    return this.#inLine.write(lease, () => this.#write(this.#held.ask, { lease, talk: text }));
  }

  answer(id: JobUrn, replies: readonly Reply[]): Promise<ReplyAnswer> {
    return this.#write(this.#answer, { id, line: JSON.stringify(replies) }, callPatience);
  }

  cancel(id: JobUrn, reason: string): Promise<WriteAnswer> {
    return this.#write(this.#cancel, { id, reason }, callPatience);
  }

  get(id: JobUrn): Promise<JobRecord | undefined> {
    return this.#closing === undefined ? this.#reads.call(this.#get, keyOf(id)) : Promise.reject(closed());
  }

  reap(): Promise<boolean> {
    return this.#write(this.#reap, undefined);
  }

  extendLeases(grace: number): Promise<void> {
    return this.#write(this.#extend, grace);
  }

  lose(lease: Lease, detail: string): Promise<WriteAnswer> {
    return this.#write(this.#held.lose, { lease, detail });
  }

  redrive(id: JobUrn): Promise<"ok" | "unknown"> {
    return this.#write(this.#redrive, id, callPatience);
  }

  deadLetters(limit?: number): Promise<readonly DeadLetter[]> {
    return this.#read(() => this.#lists.deadLetters(limit));
  }

  list(before: number, limit: number, filter?: ListFilter): Promise<ListPage> {
    return this.#read(() => this.#lists.list(before, limit, filter));
  }

  listed(id: JobUrn): Promise<ListedJob | undefined> {
    return this.#read(() => this.#lists.listed(id));
  }

  input(id: JobUrn): Promise<unknown> {
    return this.#read(() => this.#lists.input(id));
  }

  attempts(id: JobUrn): Promise<readonly JobAttempt[]> {
    return this.#read(() => this.#lists.attempts(id));
  }

  heldJobs(keys: number): ReturnType<Lists["heldJobs"]> {
    return this.#read(() => this.#lists.heldJobs(keys));
  }

  jobsOfKey(query: KeyQuery): ReturnType<Lists["jobsOfKey"]> {
    return this.#read(() => this.#lists.jobsOfKey(query));
  }

  counts(): Promise<readonly ToolCounts[]> {
    return this.#read(() => this.#lists.counts());
  }

  close(): Promise<void> {
    this.#closed.abort();
    this.#closing ??= Promise.all([this.#writes.drained(), this.#reads.drained(), this.#listener.close()])
      .then(() => undefined)
      .finally(() => this.#database.close());
    return this.#closing;
  }

  /** A write; with a patience if a caller waits for it: writes of running jobs and housekeeping may wait longer. */
  #write<I, O>(verb: Verb<I, O>, input: I, patience?: number): Promise<O> {
    return this.#closing === undefined ? this.#writes.call(verb, input, patience) : Promise.reject(closed());
  }

  async #read<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closed();
    try {
      return await operation();
    } catch (error) {
      throw this.#toError(error);
    }
  }

  #toError(error: unknown): ToolError {
    const { shown, schema } = this.#database.address;
    return toToolError(error, shown, schema);
  }
}
