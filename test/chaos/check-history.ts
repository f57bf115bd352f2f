import { checkFollowed, checkRuns } from "./check-events.ts";
import type {
  Altered,
  Cancelled,
  Entry,
  Events,
  Followed,
  Granted,
  Seen,
  SentAgain,
  Submitted,
  Write,
} from "./history.ts";

/** The history of one job. */
interface JobHistory {
  submitted: Submitted | undefined;
  cancelled: Cancelled | undefined;
  readonly granted: Granted[];
  readonly writes: Write[];
  readonly seen: Seen[];
  readonly again: SentAgain[];
  readonly followed: Followed[];
  readonly altered: Altered[];
  events: Events | undefined;
}

const open: ReadonlySet<string> = new Set(["pending", "executing"]);

/**
 * Checks a history against the eight invariants of jobs: no acknowledged job lost, one result, no write of an attempt
 * after a later one began, attempts within their limit, a final outcome that never changes, idempotent submits,
 * effective cancellation, events in order. Returns one sentence for each violation.
 */
export function checkHistory(entries: readonly Entry[], maxAttempts: number): readonly string[] {
  const breaches: string[] = [];
  for (const [id, job] of byJob(entries)) {
    for (const breach of [
      ...checkEnd(job),
      ...checkResult(job),
      ...checkFence(job),
      ...checkAttempts(job, maxAttempts),
      ...checkKeys(id, job),
      ...checkCancel(job),
      ...checkEvents(job),
      ...checkFollowed(job),
      ...checkRuns(job),
    ]) {
      breaches.push(`${id}: ${breach}`);
    }
  }
  return breaches;
}

function byJob(entries: readonly Entry[]): ReadonlyMap<string, JobHistory> {
  const jobs = new Map<string, JobHistory>();
  for (const entry of entries) {
    let job = jobs.get(entry.id);
    if (job === undefined) {
      job = {
        submitted: undefined,
        cancelled: undefined,
        granted: [],
        writes: [],
        seen: [],
        again: [],
        followed: [],
        altered: [],
        events: undefined,
      };
      jobs.set(entry.id, job);
    }
    if (entry.kind === "granted") job.granted.push(entry);
    else if (entry.kind === "write") job.writes.push(entry);
    else if (entry.kind === "seen") job.seen.push(entry);
    else if (entry.kind === "again") job.again.push(entry);
    else if (entry.kind === "followed") job.followed.push(entry);
    else if (entry.kind === "altered") job.altered.push(entry);
    else if (entry.kind === "submitted") job.submitted = entry;
    else if (entry.kind === "cancelled") job.cancelled = entry;
    else job.events = entry;
  }
  return jobs;
}

/** Invariants 1 and 5. */
function checkEnd({ submitted, seen, altered }: JobHistory): string[] {
  const last = seen.at(-1);
  if (altered.length > 0) return altered.map(({ how }) => `5: it had ended, and was ${how}`);
  if (submitted !== undefined && (last === undefined || open.has(last.status))) {
    return [`1: it was acknowledged, and is ${last?.status ?? "unknown"} in the end`];
  }
  const end = seen.find(({ status }) => !open.has(status));
  return seen
    .filter(
      ({ at, status, digest }) => end !== undefined && at > end.at && (status !== end.status || digest !== end.digest),
    )
    .slice(0, 1)
    .map(({ status, digest }) => `5: it was ${end?.status} (${end?.digest}), and later ${status} (${digest})`);
}

/** Invariant 2. */
function checkResult({ writes, seen }: JobHistory): string[] {
  const results = writes.filter(({ what }) => what === "result");
  const stored = results.filter(({ status }) => status === 204);
  const breaches = stored.length > 1 ? [`2: ${stored.length} results were stored`] : [];
  const shown = seen.find(({ written }) => written !== undefined)?.written;
  const known = stored.length > 0 ? stored : results.filter(({ status }) => status === undefined || status === 200);
  if (shown !== undefined && !known.some(({ digest }) => digest === shown)) {
    breaches.push("2: its result is none that a worker was told to be stored");
  }
  return breaches;
}

/** Invariant 3: requests under an earlier attempt must be refused after a later one was given out. */
function checkFence({ granted, writes }: JobHistory): string[] {
  const breaches: string[] = [];
  for (const { what, lease, began, status } of writes) {
    if (status === undefined || status >= 300) continue;
    const own = granted.find((one) => one.lease === lease);
    const later = granted.find((one) => one.at < began && one.at > (own?.at ?? 0) && one.lease !== lease);
    // A repetition of the stored result is acknowledged for any sender.
    if (later === undefined || (what === "result" && status === 200)) continue;
    breaches.push(`3: a ${what} of attempt ${own?.attempt} was taken (${status}) after attempt ${later.attempt} began`);
  }
  return breaches;
}

/** Invariant 4. */
function checkAttempts({ granted, writes }: JobHistory, maxAttempts: number): string[] {
  const released = new Set(
    writes.filter(({ what, status }) => what === "release" && status === 204).map(({ lease }) => lease),
  );
  const spent = granted.filter(({ lease }) => !released.has(lease)).length;
  return spent > maxAttempts ? [`4: ${spent} attempts, ${maxAttempts} are allowed`] : [];
}

/** Invariant 6. */
function checkKeys(id: string, { again }: JobHistory): string[] {
  const wrong = again.filter(({ same, status, found }) => (same ? found !== id : status !== 409 && status !== 422));
  return wrong.map(
    ({ same, status }) => `6: the same key with ${same ? "the same" : "another"} body was answered ${status}`,
  );
}

/** Invariant 7. */
function checkCancel({ cancelled, writes, seen }: JobHistory): string[] {
  if (cancelled === undefined) return [];
  const breaches = writes
    .filter(
      ({ what, began, status }) => began > cancelled.at && status === 204 && (what === "result" || what === "renewal"),
    )
    .map(({ what }) => `7: a ${what} was taken after the job was cancelled`);
  const end = seen.at(-1)?.status;
  return end === "cancelled" ? breaches : [...breaches, `7: it was cancelled, and is ${end}`];
}

/** Invariant 8. */
function checkEvents({ submitted, seen, events }: JobHistory): string[] {
  if (events === undefined) return [];
  const { numbers, counts } = events;
  if (numbers.some((number, index) => number !== index + 1)) return [`8: its events are numbered ${numbers.join(" ")}`];
  if (submitted === undefined || seen.at(-1)?.status !== "succeeded") return [];
  // The events of the last attempt are complete and stand at the end; those of earlier attempts stand before.
  const whole = counts.slice(-submitted.events);
  const isWhole = submitted.events === 0 || (whole.length === submitted.events && whole.every((n, i) => n === i + 1));
  return isWhole ? [] : [`8: its last attempt reported ${whole.join(" ")} of ${submitted.events} events`];
}
