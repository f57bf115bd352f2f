import { Alarm } from "../alarm.ts";
import type { NewJob } from "../job-store.ts";
import { replacedReason, type TakenAnswer } from "../refusal.ts";
import { inLineOf } from "../in-line.ts";
import { keyOf, toColumns } from "../rows.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Submission } from "./submission.ts";
import type { Tables } from "./tables.ts";

/** Maximum number of keys that one round checks. */
const keysAtOnce = 500;
/** Maximum rounds in which a new job replaces older ones while others of its key arrive. */
const maxRounds = 20;

/** A changed row of a job that may have a limit. */
export interface LimitedRow {
  readonly limit_key?: string | null;
}

/**
 * A job that was admitted; or, without an id, a key whose next job has to wait for a time, and the milliseconds until
 * then.
 */
interface Come {
  readonly id: string | null;
  readonly phase: number;
  readonly wait: number | null;
}

/** A job that a newer one has replaced. */
interface ReplacedRow {
  readonly id: string;
  readonly tool: string;
}

/** The turn of a job that is held. */
export interface TurnRow {
  readonly ahead?: number | null;
  /** Time at which a rate lets the first waiting job start, and the time between two starts. */
  readonly opens?: number | null;
  readonly pace?: number | null;
  readonly wakes?: number | null;
}

/** Returns when a rate lets a job start, or when its debounce ends, in milliseconds since 1970. */
export function startOfTurn({ ahead, opens, pace, wakes }: TurnRow): number | undefined {
  const turn = typeof opens === "number" ? opens + (ahead ?? 0) * (pace ?? 0) : undefined;
  return turn === undefined ? (wakes ?? undefined) : Math.max(turn, wakes ?? 0);
}

/**
 * Admits waiting jobs of the same keys as these rows: jobs that have ended, were parked, or have become claimable
 * again.
 */
export async function letInBehind(tables: Tables, rows: readonly LimitedRow[]): Promise<void> {
  const keys = new Set(rows.flatMap(({ limit_key: key }) => key ?? []));
  if (keys.size > 0) await letIn(tables, [...keys], []);
}

/** Tries to admit jobs that were just stored as held; returns an answer for each. */
export async function placeNew(
  tables: Tables,
  submissions: readonly Submission[],
  finished: (tools: readonly string[]) => Promise<void>,
): Promise<ReadonlyMap<Submission, TakenAnswer>> {
  const answers = new Map<Submission, TakenAnswer>();
  let waiting = submissions;
  for (let round = 0; waiting.length > 0; round++) {
    const keys = waiting.flatMap(({ job }) => job.limit?.key ?? []);
    const come = new Map((await letIn(tables, keys, waiting)).map((row) => [row.id, row]));
    for (const submission of waiting) {
      const row = come.get(keyOf(submission.job.id));
      if (row !== undefined) answers.set(submission, createdAnswer(submission, row.phase === 2));
    }
    const rest = waiting.filter((submission) => !answers.has(submission));
    await refuse(tables, rest, answers);
    waiting = rest.filter(({ job }) => job.limit?.beyond === "replace");
    if (waiting.length === 0 || round === maxRounds) break;
    const gone = await replace(tables, waiting, submissions);
    await finished(gone.map(({ tool }) => tool));
    // A job that was replaced by another one of its batch is stored, and cancelled.
    const ids = new Set(gone.map(({ id }) => id));
    for (const submission of waiting)
      if (ids.has(keyOf(submission.job.id))) answers.set(submission, createdAnswer(submission, false));
    waiting = waiting.filter((submission) => !answers.has(submission));
  }
  const held = submissions.filter((submission) => !answers.has(submission));
  if (held.length === 0) return answers;
  const rows = await tables.query<TurnRow & { readonly id: string }>(
    tables.sql.ahead,
    held.map(({ job }) => keyOf(job.id)),
  );
  const turns = new Map(rows.map((row) => [row.id, row]));
  for (const submission of held) {
    const { id, limit } = submission.job;
    const turn = turns.get(keyOf(id));
    const isHeld = turn !== undefined && limit !== undefined;
    const waiting = isHeld ? { waiting: inLineOf(limit.key, turn.ahead ?? 0, startOfTurn(turn)) } : {};
    answers.set(submission, { kind: "created", ...waiting });
  }
  return answers;
}

/**
 * Admits waiting jobs that were not admitted although there is room. Starts at a key; returns the key to continue with,
 * empty for the first one.
 */
export async function letInStalled(tables: Tables, from: string): Promise<string> {
  const rows = await tables.timed<{ readonly limit_key: string }>(tables.sql.stalledKeys, keysAtOnce, from);
  await letInBehind(tables, rows);
  return rows.length < keysAtOnce ? "" : (rows.at(-1)?.limit_key ?? "");
}

/** Admits jobs that a rate lets start by now; called when the alarm has rung. */
async function letInDue(tables: Tables): Promise<void> {
  for (let isMore = true; isMore;) {
    const rows = await tables.timed<LimitedRow & { readonly wait: number | null }>(tables.sql.dueKeys, keysAtOnce);
    await letInBehind(tables, rows);
    for (const { wait } of rows) if (wait !== null) tables.alarm?.set(wait);
    isMore = rows.length > keysAtOnce;
  }
}

/**
 * Creates the alarm that rings when a rate lets the next job start. If the server cannot be reached, the periodic round
 * admits these jobs.
 */
export function alarmOf(call: (verb: typeof wakeVerb) => Promise<void>, closed: AbortSignal): Alarm {
  return new Alarm(() => void call(wakeVerb).catch(() => {}), closed);
}

/** Makes the {@link Verb} that calls {@link letInDue}, once for all calls in a turn of the event loop. */
function wakeVerb(tables: Tables): Verb<undefined, void> {
  return {
    key: "wake",
    touches: () => [],
    isOpen: () => true,
    async run(calls) {
      await letInDue(tables);
      return calls.map(() => undefined);
    },
  };
}

/** Admits jobs. Some get a lease when they are admitted, because their submitters run them. */
async function letIn(
  tables: Tables,
  keys: readonly string[],
  submissions: readonly Submission[],
): Promise<readonly Come[]> {
  const own = submissions.filter(({ leaseSeconds }) => leaseSeconds !== undefined);
  const rows = await tables.timed<Come>(
    tables.sql.letIn,
    keys,
    own.map(({ job }) => keyOf(job.id)),
    own.map(({ leaseSeconds }) => leaseSeconds),
    own.map(({ token }) => token),
    own.map(({ worker }) => worker ?? null),
  );
  for (const { wait } of rows) if (wait !== null) tables.alarm?.set(wait);
  return rows;
}

async function refuse(
  tables: Tables,
  submissions: readonly Submission[],
  answers: Map<Submission, TakenAnswer>,
): Promise<void> {
  const ids = submissions.filter(({ job }) => job.limit?.beyond === "refuse").map(({ job }) => keyOf(job.id));
  if (ids.length === 0) return;
  const dropped = await tables.timed<{ readonly id: string; readonly wait: number | null }>(tables.sql.dropHeld, ids);
  const gone = new Map(dropped.map(({ id, wait }) => [id, wait]));
  for (const submission of submissions) {
    const wait = gone.get(keyOf(submission.job.id));
    if (wait !== undefined) answers.set(submission, { kind: "refused", ...(wait !== null && { wait }) });
  }
}

/**
 * Cancels older jobs of the keys of jobs that wait.
 *
 * @param batch All new jobs, in the order of their arrival
 */
async function replace(
  tables: Tables,
  waiting: readonly Submission[],
  batch: readonly Submission[],
): Promise<readonly ReplacedRow[]> {
  // Only the last job of each key is handled: it replaces the jobs before it too.
  const last = new Map(waiting.map(({ job }) => [job.limit?.key ?? "", job] as const));
  const { content } = toColumns({ state: "cancelled", error: { kind: "cancelled", message: replacedReason } });
  const jobs: readonly NewJob[] = [...last.values()];
  return tables.timed<ReplacedRow>(
    tables.sql.replaceOldest,
    jobs.map(({ id }) => keyOf(id)),
    jobs.map(({ limit }) => limit?.key ?? ""),
    jobs.map(({ limit }) => limit?.jobs ?? 1),
    Buffer.from(content),
    batch.map(({ job }) => keyOf(job.id)),
  );
}

function createdAnswer({ job: { id }, token }: Submission, isLeased: boolean): TakenAnswer {
  return isLeased ? { kind: "created", lease: { id, attempt: 1, token } } : { kind: "created" };
}
