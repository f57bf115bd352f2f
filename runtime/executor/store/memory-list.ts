import type { JobUrn } from "../../job/job.ts";
import type { AnswerRing } from "./answer-ring.ts";
import type { JobRecord } from "./job-store.ts";
import type { ListedJob, OwnedBy } from "./listed-jobs.ts";
import { decodeRecord } from "./record-codec.ts";

/** Place of a job in the order of submission, and its times in milliseconds since 1970. */
export interface Place {
  readonly seq: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Bytes of a {@link Place} in front of a finished job. */
export const placeBytes = 24;

/** Encodes a place; 0 stands for a time that is not known. */
export function encodePlace({ seq, startedAt, endedAt }: Place): Uint8Array {
  return new Uint8Array(Float64Array.of(seq, startedAt, endedAt).buffer);
}

/** A job of the list with its owner. */
export type OwnedJob = ListedJob & Pick<JobRecord, "owner">;

/**
 * Lists jobs of a memory store, the latest first. Only the places of finished jobs are read to sort them; the jobs
 * themselves are decoded until there are enough.
 */
export function listJobs(
  live: readonly OwnedJob[],
  finished: AnswerRing | undefined,
  { before, limit, of }: { readonly before: number; readonly limit: number; readonly of: OwnedBy | undefined },
): readonly ListedJob[] {
  const rows: { readonly seq: number; readonly open: () => OwnedJob }[] = live.map((job) => ({
    seq: job.seq,
    open: () => job,
  }));
  for (const [key, bytes] of finished?.entries() ?? []) {
    rows.push({ seq: bytes.readDoubleLE(0), open: () => openFinished(key as JobUrn, bytes) });
  }
  const found: ListedJob[] = [];
  for (const { seq, open } of rows.toSorted((one, other) => other.seq - one.seq)) {
    if (seq >= before) continue;
    if (found.length >= limit) break;
    const { owner, ...job } = open();
    if (of === undefined || of.owner === owner) found.push(job);
  }
  return found;
}

/** A finished job in the form of a list. */
export function openFinished(id: JobUrn, bytes: Buffer): OwnedJob {
  const { tool, state, attempt, owner } = decodeRecord(id, bytes.subarray(placeBytes));
  const startedAt = bytes.readDoubleLE(8);
  return {
    seq: bytes.readDoubleLE(0),
    id,
    tool,
    state,
    attempt,
    ...(startedAt > 0 && { startedAt }),
    endedAt: bytes.readDoubleLE(16),
    isDead: false,
    ...(owner !== undefined && { owner }),
  };
}
