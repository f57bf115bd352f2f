import { beginningOfJson } from "../../../base/beginning-of-json.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { Entry } from "./answer-ring.ts";
import type { JobAttempt } from "../attempts.ts";
import type { ToolCounts } from "../job-counts.ts";
import type { JobNews } from "../job-news.ts";
import type { JobRecord, NewJob, ReplyAnswer } from "../job-store.ts";
import { placeBytes, type LiveJob } from "./live-job.ts";
import { briefError, longestBrief, type ListedJob, type ListFilter, type ListPage } from "../listed-jobs.ts";
import type { Reply } from "../../../job/question.ts";
import { decodeHead, decodeRecord } from "./record-codec.ts";
import { maxTalkBytes } from "../shared-rules.ts";

/** A job that has not ended, in the form of the store. */
interface UnfinishedJob {
  readonly job: Pick<NewJob, "id" | "tool" | "owner" | "traceparent" | "input">;
  readonly seq: number;
  readonly state: "pending" | "executing";
  readonly attempt: number;
  readonly startedAt: number;
}

/** Members of a job that filters read, and its entry, which is made only if the job is listed. */
interface Candidate extends Pick<JobRecord, "tool" | "state"> {
  readonly owner: string | undefined;
  readonly traceparent: string | undefined;
  readonly listed: () => ListedJob;
}

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
    filter: { of, id, tools, state, trace, most = limit } = {},
    now,
  }: {
    readonly now: number;
    readonly before: number;
    readonly limit: number;
    readonly filter: ListFilter | undefined;
  },
): ListPage {
  const rows: { readonly seq: number; readonly open: () => Candidate }[] = [];
  const add = (key: string, seq: number, open: () => Candidate): void => {
    if (seq < before && (id === undefined || id === key)) rows.push({ seq, open });
  };
  for (const job of live) add(job.job.id, job.seq, () => openUnfinished(job));
  for (const { key, value, expires } of finished)
    if (expires > now) add(key, value.readDoubleLE(0), () => openFinished(key as JobUrn, value));
  const jobs: ListedJob[] = [];
  let examined = 0;
  let next: number | undefined;
  for (const { seq, open } of rows.toSorted((one, other) => other.seq - one.seq)) {
    if (jobs.length === limit || examined === most) return { jobs, next };
    const job = open();
    if (of !== undefined && of.owner !== job.owner) continue;
    examined++;
    next = seq;
    const isWanted =
      (tools === undefined || tools.includes(job.tool)) &&
      (state === undefined || job.state === state) &&
      (trace === undefined || job.traceparent?.includes(trace));
    if (isWanted) jobs.push(job.listed());
  }
  return { jobs };
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

function openUnfinished({ job, seq, state, attempt, startedAt }: UnfinishedJob): Candidate {
  const { id, tool, owner, traceparent, input } = job;
  const listed = (): ListedJob => ({
    seq,
    id,
    tool,
    state,
    attempt,
    isDead: false,
    ...begun(startedAt),
    ...traced(traceparent),
    ...asked(input),
  });
  return { tool, owner, state, traceparent, listed };
}

function openFinished(id: JobUrn, value: Buffer): Candidate {
  const record = value.subarray(placeBytes);
  const { tool, owner, state, attempt, traceparent, outcome, kept } = decodeHead(record);
  const listed = (): ListedJob => ({
    seq: value.readDoubleLE(0),
    id,
    tool,
    state,
    attempt,
    isDead: false,
    ...begun(value.readDoubleLE(8)),
    endedAt: value.readDoubleLE(16),
    ...traced(traceparent),
    ...(outcome.state !== "succeeded" && { error: briefError(outcome.error) }),
    ...(kept && asked(decodeRecord(id, record).kept?.job.input)),
  });
  return { tool, owner, state, traceparent, listed };
}

function asked(input: unknown): Pick<ListedJob, "request"> {
  return input === undefined ? {} : { request: beginningOfJson(input, longestBrief) };
}

function traced(traceparent: string | undefined): Pick<ListedJob, "traceparent"> {
  return traceparent === undefined ? {} : { traceparent };
}

/** Leaves the time out if it is 0, which stands for a job that has not begun. */
function begun(startedAt: number): Pick<ListedJob, "startedAt"> {
  return startedAt > 0 ? { startedAt } : {};
}

/** The attempts of a job that has not ended, or of one whose bytes are given; the first one first. */
export function attemptsOf(id: JobUrn, job: LiveJob | Buffer | undefined): readonly JobAttempt[] {
  if (job === undefined) return [];
  if (!Buffer.isBuffer(job)) {
    const { past = [], state, attempt, startedAt } = job;
    return state === "pending" ? past : [...past, { attempt, state, startedAt }];
  }
  const { state, attempt, kept } = decodeRecord(id, job.subarray(placeBytes));
  const [startedAt, endedAt] = [job.readDoubleLE(8), job.readDoubleLE(16)];
  return [...(kept?.past ?? []), ...(startedAt > 0 ? [{ attempt, state, startedAt, endedAt }] : [])];
}

/** Adds answers to a job, and notifies the process that runs it. */
export function addReplies(live: LiveJob, replies: readonly Reply[], news: JobNews): ReplyAnswer {
  const all = [...(live.replies ?? []), ...replies];
  if (Buffer.byteLength(JSON.stringify(all)) > maxTalkBytes) return "full";
  live.replies = all;
  news.tell(live.job.id, "answers");
  return "ok";
}
