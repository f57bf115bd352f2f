import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import type { JobState, JobUrn } from "../../../../../runtime/job/job.ts";
import type {
  JobRecord,
  JobStore,
  Lease,
  NewJob,
  StoredEvent,
  StoredOutcome,
  WriteAnswer,
} from "../../../../../runtime/executor/store/job-store.ts";

/** A clock that only a test moves; milliseconds since 1970. */
export class VirtualClock {
  #now = 1_800_000_000_000;
  readonly now = (): number => this.#now;
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/**
 * Faults that a store may have while that is a known gap, so that the rest of it is tested all the same.
 * `digest-of-id`: it attaches a submit to the job with this id, although its digest is another one.
 * `cancel-unheard`: a renewal after a cancel says that the job has ended, not that it was cancelled.
 * `live-events`: the events of a record that it gave out grow with the job.
 */
export type Tolerated = "digest-of-id" | "cancel-unheard" | "live-events";

/** A lease as the model knows it; `real` once the store has given it. */
interface ModelLease {
  readonly job: ModelJob;
  real: Lease | undefined;
  /** It held the job when the job ended. */
  told: boolean;
}

interface ModelJob {
  readonly job: NewJob;
  state: JobState;
  attempt: number;
  holder: ModelLease | undefined;
  leaseUntil: number;
  claimableFrom: number;
  events: StoredEvent[];
  outcome: StoredOutcome | undefined;
  expires: number;
}

/** State that a store shows, compared by value. */
interface Shown {
  readonly state: JobState;
  readonly tool: string;
  readonly owner: string | undefined;
  readonly attempt: number;
  readonly outcome: unknown;
  readonly events: readonly StoredEvent[];
}

export const interruptedError = {
  kind: "interrupted",
  message: "The job was interrupted: its worker stopped answering.",
} as const;

/** The rules of `job-store.ts` in the plainest words: one map, one clock, no bytes. */
export class StoreModel {
  readonly clock: VirtualClock;
  /** In the order of submission. */
  readonly jobs = new Map<JobUrn, ModelJob>();
  readonly leases: ModelLease[] = [];

  readonly tolerated: readonly Tolerated[];

  constructor(clock: VirtualClock, tolerated: readonly Tolerated[] = []) {
    this.clock = clock;
    this.tolerated = tolerated;
  }

  find(id: JobUrn): ModelJob | undefined {
    const job = this.jobs.get(id);
    if (job?.outcome === undefined || job.expires > this.clock.now()) return job;
    this.jobs.delete(id);
    return undefined;
  }

  submit(job: NewJob): "created" | "conflict" | JobUrn {
    const { idempotency } = job;
    if (idempotency !== undefined) {
      for (const id of this.jobs.keys()) {
        const known = this.find(id)?.job;
        if (known?.idempotency?.key !== idempotency.key || known.owner !== job.owner) continue;
        return known.idempotency.digest === idempotency.digest ? known.id : "conflict";
      }
    }
    const known = this.find(job.id)?.job;
    if (known !== undefined) {
      const one = known.idempotency?.digest;
      const differs = one !== undefined && idempotency !== undefined && one !== idempotency.digest;
      return known.tool !== job.tool || (differs && !this.tolerated.includes("digest-of-id")) ? "conflict" : known.id;
    }
    this.jobs.set(job.id, {
      job,
      state: "pending",
      attempt: 0,
      holder: undefined,
      leaseUntil: 0,
      claimableFrom: 0,
      events: [],
      outcome: undefined,
      expires: 0,
    });
    return "created";
  }

  claim(seconds: number, id: JobUrn | undefined, tools: readonly string[] | undefined): ModelLease | undefined {
    const now = this.clock.now();
    const fits = (job: ModelJob): boolean =>
      job.state === "pending" &&
      job.claimableFrom <= now &&
      (id === undefined ? tools === undefined || tools.includes(job.job.tool) : job.job.id === id);
    const job = [...this.jobs.values()].find(fits);
    if (job === undefined) return undefined;
    job.state = "executing";
    job.attempt++;
    job.leaseUntil = now + seconds * 1000;
    const lease: ModelLease = { job, real: undefined, told: false };
    job.holder = lease;
    this.leases.push(lease);
    return lease;
  }

  /** The job that a lease may write to, or why it may not. */
  held(lease: ModelLease): ModelJob | Exclude<WriteAnswer, "ok"> {
    const job = this.find(lease.job.job.id);
    if (job === undefined) return "unknown";
    if (job.outcome !== undefined) return "ended";
    return job.holder === lease ? job : "stale";
  }

  end(job: ModelJob, outcome: StoredOutcome): void {
    job.state = outcome.state;
    job.outcome = outcome;
    if (job.holder !== undefined) job.holder.told = true;
    job.holder = undefined;
    job.expires = this.clock.now() + job.job.ttl * 1000;
  }

  reap(): void {
    for (const job of this.jobs.values()) {
      if (job.state !== "executing" || job.leaseUntil > this.clock.now()) continue;
      if (job.attempt >= job.job.maxAttempts) this.end(job, { state: "error", error: interruptedError });
      else {
        job.state = "pending";
        job.holder = undefined;
      }
    }
  }

  shown(id: JobUrn): Shown | undefined {
    const job = this.find(id);
    if (job === undefined) return undefined;
    const { state, attempt, outcome, events } = job;
    return { state, attempt, tool: job.job.tool, owner: job.job.owner, outcome: plain(outcome), events };
  }
}

/** A record without what may differ between stores: the class that bytes come in, the object's identity. */
export function shown(record: JobRecord | undefined): Shown | undefined {
  if (record === undefined) return undefined;
  const { state, tool, owner, attempt, outcome, events } = record;
  return { state, tool, owner, attempt, outcome: plain(outcome), events };
}

function plain(outcome: StoredOutcome | undefined): unknown {
  if (outcome?.state !== "succeeded" || outcome.result.kind !== "binary") return outcome;
  return { ...outcome, result: { ...outcome.result, content: [...outcome.result.content] } };
}

/** Parts that a run works on. `restart` exists when jobs survive the store. */
export interface World {
  store: JobStore;
  readonly restart: (() => Promise<JobStore>) | undefined;
}

/** One step: changes the model at once and calls the store in the same turn; the answer is compared when it comes. */
interface Step {
  readonly text: string;
  start(model: StoreModel, world: World): Promise<void>;
}

class StepCommand implements fc.AsyncCommand<StoreModel, World> {
  readonly #step: Step;

  constructor(step: Step) {
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  async run(model: StoreModel, world: World): Promise<void> {
    await this.#step.start(model, world);
    for (const id of ids) {
      const [found, expected] = [shown(await world.store.get(id)), model.shown(id)];
      // It is asked a hundred thousand times, and `expect` takes longer than the store.
      if (isDeepStrictEqual(found, expected)) continue;
      // oxlint-disable-next-line vitest/no-standalone-expect -- the model runs inside tests
      expect(found, `get(${id}) after ${this}`).toEqual(expected);
    }
  }

  toString(): string {
    return this.#step.text;
  }
}

const ids: readonly JobUrn[] = ["a", "b", "c", "d", "e", "f"].map((id): JobUrn => `urn:platform:job:${id}`);
const tools = ["one", "two"] as const;

function submitStep(job: NewJob, leaseSeconds?: number): Step {
  return {
    text: `submit(${JSON.stringify(job)}, ${leaseSeconds})`,
    async start(model, { store }) {
      const expected = model.submit(job);
      const before = expected === "created" || expected === "conflict" ? undefined : model.shown(expected);
      const lent =
        expected === "created" && leaseSeconds !== undefined ? model.claim(leaseSeconds, job.id, undefined) : undefined;
      const answer = await store.submit(job, leaseSeconds);
      if (lent !== undefined) {
        expect(answer).toMatchObject({ kind: "created", lease: { id: job.id, attempt: 1 } });
        if (answer.kind === "created") lent.real = answer.lease;
      } else if (before === undefined) expect(answer).toEqual({ kind: expected });
      else {
        expect(answer.kind).toBe("existing");
        if (answer.kind !== "existing") return;
        const loose = model.tolerated.includes("live-events") ? { events: expect.any(Array) as [] } : {};
        expect(shown(answer.record)).toEqual({ ...before, ...loose });
      }
    },
  };
}

function claimStep(options: { seconds: number; id?: JobUrn; tools?: readonly string[] }): Step {
  return {
    text: `claim(${JSON.stringify(options)})`,
    async start(model, { store }) {
      const expected = model.claim(options.seconds, options.id, options.tools);
      const attempt = expected?.job.attempt;
      const lastSequence = expected && (expected.job.events.at(-1)?.sequence ?? 0);
      const claim = await store.claim(options);
      expect(claim?.job).toEqual(expected?.job.job);
      expect(claim?.lease.attempt).toBe(attempt);
      expect(claim?.lastSequence).toBe(lastSequence);
      if (expected === undefined || claim === undefined) return;
      expect(model.leases.map(({ real }) => real?.token)).not.toContain(claim.lease.token);
      expected.real = claim.lease;
    },
  };
}

/** A write under one of all leases that were ever given, so that most of them are stale. */
function writeStep(
  text: string,
  pick: number,
  write: (store: JobStore, lease: Lease, job: ModelJob) => unknown,
  effect: (job: ModelJob, model: StoreModel) => void,
  refused?: (lease: ModelLease, current: ModelJob | undefined, model: StoreModel) => readonly unknown[],
): Step {
  return {
    text: `${text} by lease ${pick}`,
    async start(model, { store }) {
      const given = model.leases.filter(({ real }) => real !== undefined);
      const lease = given[given.length - 1 - (pick % Math.max(1, given.length))];
      if (lease?.real === undefined) return;
      const held = model.held(lease);
      const current = model.find(lease.job.job.id);
      // Before the effect, which may depend on what was there.
      const answer = write(store, lease.real, lease.job);
      if (typeof held === "string") {
        const expected = held === "ended" && refused !== undefined ? refused(lease, current, model) : [held];
        expect(expected).toContainEqual(await answer);
      } else {
        effect(held, model);
        expect(await answer).toBe("ok");
      }
    },
  };
}

function renewStep(pick: number, seconds: number): Step {
  return writeStep(
    `renew(${seconds})`,
    pick,
    (store, lease) => store.renew(lease, seconds),
    (job, { clock }) => {
      job.leaseUntil = clock.now() + seconds * 1000;
    },
    (lease, current, { tolerated }) => {
      if (current?.outcome?.state !== "cancelled") return ["ended"];
      const cancel = { cancel: current.outcome.error.message };
      // Whoever had lost the job before it was cancelled may hear either.
      const held = lease.job === current && lease.told;
      return held && !tolerated.includes("cancel-unheard") ? [cancel] : [cancel, "ended"];
    },
  );
}

function progressStep(pick: number, offset: number, count: number): Step {
  const eventsFor = (job: ModelJob): StoredEvent[] => {
    const first = Math.max(1, (job.events.at(-1)?.sequence ?? 0) + offset);
    return Array.from({ length: count }, (_, index) => ({
      sequence: first + index,
      body: { sequence: first + index, by: job.attempt, offset, text: "ä\u0000\u{1f600}" },
    }));
  };
  return writeStep(
    `progress(${offset}, ${count})`,
    pick,
    (store, lease, job) => store.progress(lease, eventsFor(job)),
    (job) => {
      const last = job.events.at(-1)?.sequence ?? 0;
      job.events = [...job.events, ...eventsFor(job).filter(({ sequence }) => sequence > last)];
    },
  );
}

function settleStep(pick: number, outcome: StoredOutcome): Step {
  return writeStep(
    `settle(${JSON.stringify(outcome)})`,
    pick,
    (store, lease) => store.settle(lease, outcome),
    (job, model) => model.end(job, outcome),
  );
}

function releaseStep(pick: number, delay: number): Step {
  return writeStep(
    `release(${delay})`,
    pick,
    (store, lease) => store.release(lease, delay),
    (job, { clock }) => {
      job.state = "pending";
      job.attempt--;
      job.holder = undefined;
      job.claimableFrom = clock.now() + delay * 1000;
    },
  );
}

function cancelStep(id: JobUrn, reason: string): Step {
  return {
    text: `cancel(${id})`,
    async start(model, { store }) {
      const job = model.find(id);
      const expected = job === undefined ? "unknown" : job.outcome === undefined ? "ok" : "ended";
      if (job !== undefined && expected === "ok") {
        model.end(job, { state: "cancelled", error: { kind: "cancelled", message: reason } });
      }
      expect(await store.cancel(id, reason)).toBe(expected);
    },
  };
}

const reapStep: Step = {
  text: "reap()",
  async start(model, { store }) {
    model.reap();
    await store.reap();
  },
};

function advanceStep(milliseconds: number): Step {
  return {
    text: `advance(${milliseconds})`,
    async start({ clock }) {
      clock.advance(milliseconds);
    },
  };
}

const restartStep: Step = {
  text: "restart()",
  async start(_, world) {
    if (world.restart !== undefined) world.store = await world.restart();
  },
};

/** Several calls in one turn: they count in the order in which they were made. */
function togetherStep(steps: readonly Step[]): Step {
  return {
    text: `together(${steps.map(({ text }) => text).join(", ")})`,
    async start(model, world) {
      await Promise.all(steps.map((step) => step.start(model, world)));
    },
  };
}

const id = fc.constantFrom(...ids);
const pick = fc.nat({ max: 6 });
const seconds = fc.constantFrom(1, 5, 15);
const idempotency = fc.record({ key: fc.constantFrom("k1", "k2"), digest: fc.constantFrom("d1", "d2") });
const newJob: fc.Arbitrary<NewJob> = fc
  .record({
    id,
    tool: fc.constantFrom(...tools),
    input: fc.jsonValue({ maxDepth: 2 }),
    owner: fc.option(fc.constantFrom("anna", "ben"), { nil: undefined, freq: 2 }),
    idempotency: fc.option(idempotency, { nil: undefined }),
    traceparent: fc.option(fc.constant("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), { nil: undefined }),
    ttl: fc.constantFrom(1, 10, 60),
    maxAttempts: fc.integer({ min: 1, max: 3 }),
  })
  // Absent, not undefined: that is how the executor hands jobs in.
  .map(
    (job) => Object.fromEntries(Object.entries(job).filter(([, value]) => value !== undefined)) as unknown as NewJob,
  );
const outcome: fc.Arbitrary<StoredOutcome> = fc.constantFrom<StoredOutcome>(
  { state: "succeeded", result: { kind: "json", json: '{"a":[1,null]}' } },
  { state: "succeeded", result: { kind: "json", json: "null" } },
  { state: "succeeded", result: { kind: "text", text: "" } },
  { state: "succeeded", result: { kind: "text", text: "ä\u0000b\u{1f600}\r\n" } },
  { state: "succeeded", result: { kind: "binary", contentType: "image/png", content: Uint8Array.of(0, 255, 10, 0) } },
  { state: "failed", error: { kind: "user-input", message: "too small" } },
  {
    state: "failed",
    error: {
      kind: "validation",
      message: "no",
      problems: [{ path: "/a", expected: "number", value: "x", message: "is no number" }],
    },
  },
  { state: "error", error: { kind: "system", message: "The tool failed." } },
);

const call: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: newJob.map((job) => submitStep(job)) },
  { weight: 2, arbitrary: fc.tuple(newJob, seconds).map(([job, value]) => submitStep(job, value)) },
  { weight: 5, arbitrary: seconds.map((value) => claimStep({ seconds: value })) },
  { weight: 2, arbitrary: fc.tuple(seconds, id).map(([value, job]) => claimStep({ seconds: value, id: job })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(seconds, fc.subarray([...tools]))
      .map(([value, some]) => claimStep({ seconds: value, tools: some })),
  },
  { weight: 3, arbitrary: fc.tuple(pick, seconds).map(([lease, value]) => renewStep(lease, value)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(pick, fc.integer({ min: -2, max: 2 }), fc.integer({ min: 1, max: 3 }))
      .map(([lease, offset, count]) => progressStep(lease, offset, count)),
  },
  { weight: 4, arbitrary: fc.tuple(pick, outcome).map(([lease, value]) => settleStep(lease, value)) },
  {
    weight: 2,
    arbitrary: fc.tuple(pick, fc.constantFrom(0, 1, 10)).map(([lease, delay]) => releaseStep(lease, delay)),
  },
  { weight: 1, arbitrary: id.map((job) => cancelStep(job, `cancel ${job}`)) },
  { weight: 3, arbitrary: fc.constant(reapStep) },
);

const command = fc
  .oneof(
    { weight: 25, arbitrary: call },
    { weight: 3, arbitrary: fc.constantFrom(500, 1000, 5000, 15_000, 61_000).map(advanceStep) },
    { weight: 3, arbitrary: fc.array(call, { minLength: 2, maxLength: 4 }).map(togetherStep) },
    { weight: 1, arbitrary: fc.constant(restartStep) },
  )
  .map((value) => new StepCommand(value));

const defaultRuns = 60;
const defaultSteps = 100;

export interface ModelRunOptions {
  readonly open: (now: () => number) => Promise<World & { close(): Promise<void> }>;
  readonly runs?: number;
  readonly tolerated?: readonly Tolerated[];
  /** False: the first failure is enough, and no shorter one is looked for, which takes most of the time. */
  readonly shrink?: boolean;
}

/** Outcome of a run. */
export type ModelRun = fc.RunDetails<[Iterable<fc.AsyncCommand<StoreModel, World, boolean>>]>;

/**
 * Runs random sequences of calls on a store and on the model, and compares every answer and every record. By default
 * 60 sequences of up to 100 steps from a fixed seed; `TENON_MODEL_RUNS`, `TENON_MODEL_STEPS` and `TENON_MODEL_SEED` (a
 * number, or `random`) change that. A failure prints the seed and the shortest sequence that was found.
 */
export async function checkModel({
  open,
  runs = defaultRuns,
  tolerated = [],
  shrink = true,
}: ModelRunOptions): Promise<ModelRun> {
  const { TENON_MODEL_RUNS, TENON_MODEL_STEPS, TENON_MODEL_SEED = "20261120" } = process.env;
  const maxCommands = Number(TENON_MODEL_STEPS ?? defaultSteps);
  const seed = TENON_MODEL_SEED === "random" ? Math.trunc(Math.random() * 2 ** 31) : Number(TENON_MODEL_SEED);
  const property = fc.asyncProperty(fc.commands([command], { maxCommands, size: "max" }), async (commands) => {
    const clock = new VirtualClock();
    const world = await open(clock.now);
    try {
      await fc.asyncModelRun(() => ({ model: new StoreModel(clock, tolerated), real: world }), commands);
    } finally {
      await world.close();
    }
  });
  return fc.check(property, { seed, numRuns: Number(TENON_MODEL_RUNS ?? runs), endOnFailure: !shrink });
}

/** The fault in a run of the model, with its seed; undefined when nothing did. */
export function modelFailure(details: ModelRun): string | undefined {
  return details.failed ? `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}` : undefined;
}
