import type { JobUrn } from "../../job/job.ts";
import type { OwnedBy } from "./listed-jobs.ts";
import { jobUrnPrefix } from "../../job/job-id.ts";
import { phase } from "./phase.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** The jobs of one tool that wait for their turn. */
export interface HeldOfTool {
  readonly tool: string;
  readonly held: number;
  /** Seconds for which the first of these jobs has waited. */
  readonly oldestHeld: number;
}

/** The jobs of one key that wait for their turn. */
export interface HeldOfKey extends HeldOfTool {
  /** Key of a limit: see `limitsOf`. */
  readonly key: string;
}

/** A job of a key, and its owner. */
export interface JobOfKey {
  readonly id: JobUrn;
  readonly owner?: string;
}

/** A query for the jobs of a key that have not ended. */
export interface KeyQuery {
  readonly key: string;
  /**
   * `held`: jobs that wait for their turn. `begun`: jobs that have been admitted, also those that have left their
   * process since.
   */
  readonly which: "held" | "begun";
  readonly most: number;
  /** Owner of the jobs; absent: jobs of all owners. */
  readonly of?: OwnedBy;
}

/** Optional interface of a store that can list the jobs above their limit. */
export interface TellsHeld {
  /** Tools that have jobs above their limit, and the keys with most of these jobs, the longest queue first. */
  heldJobs(keys: number): MaybePromise<{ readonly tools: readonly HeldOfTool[]; readonly keys: readonly HeldOfKey[] }>;
  jobsOfKey(query: KeyQuery): MaybePromise<readonly JobOfKey[]>;
}

interface HeldRow {
  readonly tool: string;
  readonly key?: string;
  readonly held: number;
  /** Time since which the job waits, in milliseconds since 1970. */
  readonly since: number;
}

export function toHeld<R extends HeldRow>({ since, ...row }: R, now: number): Omit<R, "since"> & HeldOfTool {
  return { ...row, oldestHeld: Math.max(0, now - since) / 1000 };
}

/** Returns the range of phases that a query covers: the first and the last one. */
export function phasesOf(which: KeyQuery["which"]): readonly [number, number] {
  return which === "held" ? [phase.held, phase.held] : [phase.pending, phase.executing];
}

/** Converts a row into a job of a key. */
export function toJobOfKey({ id, owner }: { readonly id: string; readonly owner: string | null }): JobOfKey {
  return { id: `${jobUrnPrefix}${id}`, ...(owner !== null && { owner }) };
}
