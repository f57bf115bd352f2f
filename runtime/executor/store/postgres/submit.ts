import { keyOf } from "../rows.ts";
import type { TakenAnswer } from "../refusal.ts";
import { phase } from "../phase.ts";
import { placeNew } from "./limits.ts";
import type { Verb } from "./ordered-batches.ts";
import { recordOf, type FullRow } from "./reads.ts";
import type { Submission } from "./submission.ts";
import type { Tables } from "./tables.ts";

/** A row with the id or the idempotency key of a submission. */
interface KnownRow extends FullRow {
  /** Index of the submission in its batch, from 1. */
  readonly n: number;
  readonly by_key: boolean;
  readonly token: string | null;
}

/** Maximum rounds until a job is stored or found; other replicas may add and drop rows in between. */
const maxRounds = 20;

/** Counts of finished jobs that submissions change. */
export interface SubmitHooks {
  /** Called with the tools of jobs that have finished. */
  readonly finished: (tools: readonly string[]) => Promise<void>;
  /** Called with finished jobs that were dropped since they had expired. */
  readonly gone: (rows: readonly { readonly tool: string }[]) => void;
}

/** Stores jobs, once per id and per idempotency key. */
export function submitVerb(tables: Tables, hooks: SubmitHooks): Verb<Submission, TakenAnswer> {
  return {
    key: "submit",
    touches: ({ job: { id, idempotency, owner } }) =>
      idempotency === undefined ? [keyOf(id)] : [keyOf(id), JSON.stringify([owner ?? null, idempotency.key])],
    // An idempotency key may belong to any job.
    isOpen: ({ job }) => job.idempotency !== undefined,
    bytes: ({ input }) => input?.length ?? 0,
    async run(submissions) {
      for (const { job } of submissions) if (job.headStart !== undefined) tables.hasEarly(job.tool);
      const answers = new Map<Submission, TakenAnswer>();
      for (let round = 0; answers.size < submissions.length; round++) {
        if (round === maxRounds) throw new Error("Rows of jobs come and go faster than they can be read.");
        await submitMissing(
          tables,
          submissions.filter((submission) => !answers.has(submission)),
          answers,
          hooks,
        );
      }
      return submissions.map((submission) => answers.get(submission) ?? { kind: "conflict" });
    },
  };
}

async function submitMissing(
  tables: Tables,
  missing: readonly Submission[],
  answers: Map<Submission, TakenAnswer>,
  { finished, gone }: SubmitHooks,
): Promise<void> {
  const inserted = await tables.timed<{ readonly id: string }>(tables.sql.insert, ...columnsOf(missing));
  const created = new Set(inserted.map(({ id }) => id));
  const rest: Submission[] = [];
  for (const submission of missing) {
    if (created.has(keyOf(submission.job.id))) answers.set(submission, createdAnswer(submission));
    else rest.push(submission);
  }
  const limited = missing.filter(({ job }) => job.limit !== undefined && created.has(keyOf(job.id)));
  if (limited.length > 0) {
    for (const [submission, answer] of await placeNew(tables, limited, finished)) answers.set(submission, answer);
  }
  if (rest.length === 0) return;
  const known = await tables.timed<KnownRow>(
    tables.sql.known,
    rest.map(({ job }) => keyOf(job.id)),
    rest.map(({ job }) => job.idempotency?.key ?? null),
    rest.map(({ job }) => job.owner ?? null),
  );
  const expired: number[] = [];
  for (const [index, submission] of rest.entries()) {
    const rows = known.filter(({ n }) => n === index + 1);
    expired.push(...rows.filter((row) => row.is_expired).map(({ seq }) => seq));
    const row = rows.filter((one) => !one.is_expired).toSorted((a, b) => Number(b.by_key) - Number(a.by_key))[0];
    if (row !== undefined) answers.set(submission, answerFor(submission, row));
  }
  // Expired rows with the same id or key are dropped first, since they block the new job.
  if (expired.length > 0) gone(await tables.timed(tables.sql.dropExpiredOf, expired));
  // A repeated call has its own job: it must not give an old request to a job that waits.
  await join(
    tables,
    rest.filter((submission) => submission.job.limit?.debounce !== undefined && !answers.has(submission)),
    answers,
  );
}

/**
 * Joins debounced requests to existing jobs. If several requests join one job, the last request counts, and all of them
 * get that job.
 */
async function join(
  tables: Tables,
  submissions: readonly Submission[],
  answers: Map<Submission, TakenAnswer>,
): Promise<void> {
  if (submissions.length === 0) return;
  const lineOf = ({ job: { limit, owner } }: Submission): string => JSON.stringify([limit?.key, owner ?? null]);
  const last = [...new Map(submissions.map((one) => [lineOf(one), one])).values()];
  const known = await tables.timed<KnownRow>(
    tables.sql.join,
    last.map(({ job }) => job.limit?.key),
    last.map(({ job }) => job.owner ?? null),
    last.map(({ input }) => input),
    last.map(({ job }) => (job.caller === undefined ? null : JSON.stringify(job.caller))),
    last.map(({ job }) => job.limit?.debounce?.wait),
    last.map(({ job }) => job.limit?.debounce?.most ?? null),
    last.map(({ job }) => job.headStart ?? null),
  );
  const records = new Map(known.map((row) => [lineOf(last[row.n - 1] as Submission), recordOf(row)]));
  for (const submission of submissions) {
    const record = records.get(lineOf(submission));
    if (record !== undefined) answers.set(submission, { kind: "existing", record });
  }
}

function createdAnswer({ job: { id }, leaseSeconds, token }: Submission): TakenAnswer {
  return leaseSeconds === undefined ? { kind: "created" } : { kind: "created", lease: { id, attempt: 1, token } };
}

function answerFor(submission: Submission, row: KnownRow): TakenAnswer {
  const { job } = submission;
  // The row has this submission's token, so an earlier run of this statement has stored it, and only the answer was
  // lost.
  if (row.token === submission.token) {
    return row.phase === phase.held ? { kind: "created" } : createdAnswer(submission);
  }
  const { idempotency_digest: digest } = row;
  if (row.by_key) {
    return digest === job.idempotency?.digest ? { kind: "existing", record: recordOf(row) } : { kind: "conflict" };
  }
  const differs = digest !== null && job.idempotency !== undefined && digest !== job.idempotency.digest;
  return row.tool !== job.tool || differs ? { kind: "conflict" } : { kind: "existing", record: recordOf(row) };
}

function columnsOf(submissions: readonly Submission[]): readonly (readonly unknown[])[] {
  const column = (value: (submission: Submission) => unknown): readonly unknown[] => submissions.map(value);
  return [
    column(({ job }) => keyOf(job.id)),
    column(({ leaseSeconds }) => leaseSeconds ?? null),
    column(({ leaseSeconds, token }) => (leaseSeconds === undefined ? null : token)),
    column(({ job }) => job.maxAttempts),
    column(({ job }) => job.ttl),
    column(({ job }) => job.tool),
    column(({ job }) => job.owner ?? null),
    column(({ job }) => job.idempotency?.key ?? null),
    column(({ job }) => job.idempotency?.digest ?? null),
    column(({ job }) => job.traceparent ?? null),
    column(({ job }) => job.tracestate ?? null),
    column(({ job }) => job.baggage ?? null),
    column(({ job }) => (job.caller === undefined ? null : JSON.stringify(job.caller))),
    column(({ job }) => (job.talk === undefined ? null : JSON.stringify(job.talk))),
    column(({ input }) => input),
    column(({ worker }) => worker ?? null),
    column(({ job }) => job.limit?.key ?? null),
    column(({ job }) => job.limit?.jobs ?? null),
    column(({ job }) => job.limit?.rate?.pace ?? null),
    column(({ job }) => job.limit?.rate?.burst ?? null),
    column(({ job }) => job.limit?.debounce?.wait ?? null),
    column(({ job }) => job.headStart ?? null),
  ];
}
