import { beginningOfJson } from "../../../base/beginning-of-json.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { Entry } from "./answer-ring.ts";
import type { ToolCounts } from "../job-counts.ts";
import type { JobNews } from "../job-news.ts";
import type { JobRecord, NewJob, ReplyAnswer } from "../job-store.ts";
import { placeBytes, type LiveJob } from "./live-job.ts";
import { briefError, longestBrief, type ListedJob, type OwnedBy } from "../listed-jobs.ts";
import type { Reply } from "../../../job/question.ts";
import { decodeRecord } from "./record-codec.ts";
import { maxTalkBytes } from "../shared-rules.ts";

/** A job that has not ended, in the form of the store. */
interface UnfinishedJob {
  readonly job: Pick<NewJob, "id" | "tool" | "owner" | "traceparent" | "input">;
  readonly seq: number;
  readonly state: "pending" | "executing";
  readonly attempt: number;
  readonly startedAt: number;
}

type OwnedJob = ListedJob & Pick<JobRecord, "owner">;

/**
 * Lists jobs of a memory store, the latest first. Finished jobs are sorted by their positions alone, and decoded only
 * until the list is full.
 */
export function listJobs(
  live: Iterable<UnfinishedJob>,
  finished: Iterable<Entry>,
  {
    before,
    limit,
    of,
    now,
  }: { readonly now: number; readonly before: number; readonly limit: number; readonly of: OwnedBy | undefined },
): readonly ListedJob[] {
  const rows: { readonly seq: number; readonly open: () => OwnedJob }[] = [];
  for (const job of live) rows.push({ seq: job.seq, open: () => openUnfinished(job) });
  for (const { key, value, expires } of finished)
    if (expires > now) rows.push({ seq: value.readDoubleLE(0), open: () => openFinished(key as JobUrn, value) });
  const found: ListedJob[] = [];
  for (const { seq, open } of rows.toSorted((one, other) => other.seq - one.seq)) {
    if (seq >= before) continue;
    if (found.length >= limit) break;
    const { owner, ...job } = open();
    if (of === undefined || of.owner === owner) found.push(job);
  }
  return found;
}

/** Counts the unfinished jobs, in the order of submission. */
export function countJobs(
  live: Iterable<Pick<UnfinishedJob, "job" | "state"> & { readonly claimableFrom: number }>,
  now: number,
): readonly ToolCounts[] {
  const counts = new Map<string, { waiting: number; running: number; oldestWaiting: number }>();
  for (const { job, state, claimableFrom } of live) {
    const count = counts.get(job.tool) ?? { waiting: 0, running: 0, oldestWaiting: 0 };
    counts.set(job.tool, count);
    if (state === "executing") count.running++;
    else if (claimableFrom <= now) {
      count.waiting++;
      count.oldestWaiting = Math.max(count.oldestWaiting, (now - claimableFrom) / 1000);
    }
  }
  return [...counts].map(([tool, count]) => ({ tool, ...count, dead: 0 }));
}

function openUnfinished({ job, seq, state, attempt, startedAt }: UnfinishedJob): OwnedJob {
  const { id, tool, input } = job;
  return { seq, id, tool, state, attempt, isDead: false, ...begun(startedAt), ...known(job), ...asked(input) };
}

function openFinished(id: JobUrn, bytes: Buffer): OwnedJob {
  const record = decodeRecord(id, bytes.subarray(placeBytes));
  const { tool, state, attempt, outcome, kept } = record;
  const error = outcome?.state === "succeeded" || outcome === undefined ? undefined : briefError(outcome.error);
  const times = { ...begun(bytes.readDoubleLE(8)), endedAt: bytes.readDoubleLE(16) };
  const seq = bytes.readDoubleLE(0);
  return {
    seq,
    id,
    tool,
    state,
    attempt,
    isDead: false,
    ...times,
    ...known(record),
    ...(error !== undefined && { error }),
    ...asked(kept?.job.input),
  };
}

function asked(input: unknown): Pick<ListedJob, "request"> {
  return input === undefined ? {} : { request: beginningOfJson(input, longestBrief) };
}

function known({
  owner,
  traceparent,
}: Pick<JobRecord, "owner" | "traceparent">): Pick<OwnedJob, "owner" | "traceparent"> {
  return { ...(owner !== undefined && { owner }), ...(traceparent !== undefined && { traceparent }) };
}

/** Leaves the time out if it is 0, which stands for a job that has not begun. */
function begun(startedAt: number): Pick<ListedJob, "startedAt"> {
  return startedAt > 0 ? { startedAt } : {};
}

/** Adds answers to a job, and notifies the process that runs it. */
export function addReplies(live: LiveJob, replies: readonly Reply[], news: JobNews): ReplyAnswer {
  const all = [...(live.replies ?? []), ...replies];
  if (Buffer.byteLength(JSON.stringify(all)) > maxTalkBytes) return "full";
  live.replies = all;
  news.tell(live.job.id, "answers");
  return "ok";
}
