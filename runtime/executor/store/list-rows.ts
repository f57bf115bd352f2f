import { cutText } from "../../base/brief.ts";
import type { ErrorKind } from "../../base/errors.ts";
import { briefError, longestBrief, type ListedJob, type ListPage, type StoredError } from "./listed-jobs.ts";
import { phase } from "./phase.ts";
import { stateOf, textOf, urnOf, type RecordRow } from "./rows.ts";

/** Number of bytes of an error's JSON that are read. They contain its kind and the beginning of its message. */
const errorBytes = 2000;

/** Columns that only lists need: the beginnings of an error and of a request. */
export const briefColumns =
  `CASE WHEN outcome IN ('failed', 'error', 'cancelled') THEN substr(content, 1, ${errorBytes}) END AS failure, ` +
  `substr(input, 1, ${longestBrief + 1}) AS asked`;

/** SQL of a job's state. */
export const stateColumn =
  `CASE WHEN outcome IN ('json', 'text', 'binary') THEN 'succeeded' WHEN outcome IS NOT NULL THEN outcome ` +
  `WHEN phase = ${phase.executing} THEN 'executing' ELSE 'pending' END`;

/** A row of a list. */
export interface ListRow extends Pick<
  RecordRow,
  "seq" | "id" | "phase" | "attempt" | "tool" | "traceparent" | "outcome"
> {
  readonly started: number | null;
  readonly ended: number | null;
  /** Beginning of an error's JSON. */
  readonly failure: string | Uint8Array | null;
  /** Beginning of the request's JSON. */
  readonly asked: string | null;
}

/** A row of a part of a list. The last job that was examined has a row, whether it is wanted or not. */
export interface ExaminedRow extends ListRow {
  readonly wanted: number | boolean;
  /** Number of jobs that were examined. */
  readonly examined: number;
}

/** Converts rows into a part of a list, for which at most `limit` rows were read, and `most` jobs were examined. */
export function toListPage(rows: readonly ExaminedRow[], limit: number, most: number): ListPage {
  const jobs = rows.filter(({ wanted }) => Boolean(wanted)).map(toListedJob);
  const last = rows.at(-1);
  const mayContinue = last !== undefined && (rows.length === limit || last.examined === most);
  return { jobs, ...(mayContinue && { next: last.seq }) };
}

/** Converts a row into an entry of a list. */
export function toListedJob(row: ListRow): ListedJob {
  const { seq, id, phase: at, attempt, tool, traceparent, started, ended, outcome, failure, asked } = row;
  const mayRun = at >= phase.executing;
  const isResult = outcome === "json" || outcome === "text" || outcome === "binary";
  const error = failure === null ? undefined : errorIn(textOf(failure));
  return {
    seq,
    id: urnOf(id),
    tool,
    attempt,
    ...(traceparent !== null && { traceparent }),
    isDead: at === phase.dead,
    state: outcome === null ? stateOf(at) : isResult ? "succeeded" : outcome,
    ...(mayRun && started !== null && { startedAt: started }),
    ...(ended !== null && { endedAt: ended }),
    ...(error !== undefined && { error }),
    ...(asked !== null && { request: cutText(asked, longestBrief) }),
  };
}

/** Reads an error from the beginning of its JSON, which may be cut anywhere; undefined for JSON in another form. */
function errorIn(json: string): ListedJob["error"] {
  try {
    return briefError(JSON.parse(json) as StoredError);
  } catch {
    const [, kind, message] = /^\{"kind":"([\w-]+)","message":"((?:[^"\\]|\\u[\da-f]{4}|\\[^u])*)/.exec(json) ?? [];
    if (kind === undefined) return undefined;
    return briefError({ kind: kind as ErrorKind, message: JSON.parse(`"${message}"`) as string });
  }
}
