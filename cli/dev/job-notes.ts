import type { NotedCall } from "./job-calls.ts";
import { type Frame, readStack } from "./job-stack.ts";

/** Part of a job that is noted. */
export interface NotedJob {
  readonly id: string;
  onEnd(listener: (outcome: { readonly state: string; readonly error?: Error }) => void): void;
}

/** Origin and request of a job. */
export interface NotedStart {
  readonly origin: string;
  /** Its request as it came. */
  readonly input?: unknown;
  /** The ended job that it runs again. */
  readonly from?: string;
}

/** A record of the log. */
export interface NotedRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: string;
  /** Name of its logger. */
  readonly name: string;
  /** Its message, and the errors that were logged with it. */
  readonly message: string;
  /** Its other fields, with `job_id` if a job wrote it. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The answer of `GET /jobs/:id/debug`. */
export interface JobNotes {
  /** The request as JSON; absent where it is longer than is noted. */
  readonly request?: string;
  /** Lines that the job logged, the latest of many. */
  readonly logs: readonly NotedRecord[];
  /** Outbound requests and spans, the first of many, in the order in which they were noted. */
  readonly calls?: readonly NotedCall[];
  /** The error that ended it, if it came through author code. */
  readonly error?: { readonly message: string; readonly frames: readonly Frame[] };
}

interface Kept {
  request?: string | undefined;
  origin?: string;
  readonly logs: NotedRecord[];
  readonly calls: NotedCall[];
  thrown?: Error;
  /** The error of author code, as text. */
  cause?: string;
}

/** Jobs, log lines and calls of each, characters of a request that are noted, and of one in a list. */
const [mostJobs, mostLines, mostCalls, longestRequest, longestBrief] = [300, 200, 200, 100_000, 300];

/** Notes of the latest jobs for the console: they are in memory, and end with the process. */
export class JobNotebook {
  readonly #root: string;
  readonly #jobs = new Map<string, Kept>();

  /** @param root Folder of the project, whose source lines are shown */
  constructor(root: string) {
    this.#root = root;
  }

  /** Notes a job, which may have begun or ended. */
  begin(job: NotedJob, { origin, input, from }: NotedStart): void {
    const kept = this.#kept(job.id);
    const request = from === undefined ? jsonOf(input) : this.#jobs.get(from)?.request;
    kept.origin = origin;
    if (request !== undefined && request.length <= longestRequest) kept.request = request;
    job.onEnd(({ error }) => {
      const cause = error?.cause instanceof Error ? error.cause : undefined;
      if (error !== undefined) kept.thrown = cause ?? error;
      if (cause !== undefined) kept.cause = String(cause);
    });
  }

  /** Notes a line of the log, if a job wrote it. Events are in the job's own list. */
  log(record: NotedRecord): void {
    const id = record.fields["job_id"];
    if (typeof id !== "string" || record.name === "event") return;
    const { logs } = this.#kept(id);
    logs.push(record);
    if (logs.length > mostLines) logs.shift();
  }

  /** Notes an outbound request, whose end is written into `call`, or a span. */
  call(id: string, call: NotedCall): void {
    const { calls } = this.#kept(id);
    if (calls.length < mostCalls) calls.push(call);
  }

  /** The notes of a job; no lines where it is not known. */
  of(id: string): JobNotes {
    const { request, logs = [], calls = [], thrown } = this.#jobs.get(id) ?? {};
    const frames = readStack(thrown?.stack ?? "", this.#root);
    const error = frames.some((frame) => "place" in frame) ? { message: String(thrown), frames } : undefined;
    // The error itself says more than the line that reports it.
    const shown = logs.filter(({ name, message }) => !(error && name === "tenon" && message.startsWith("job failed")));
    return {
      ...(request !== undefined && { request }),
      logs: shown.map(lineOf),
      ...(calls.length > 0 && { calls }),
      ...(error && { error }),
    };
  }

  /** The part of its notes that a list shows. */
  brief(id: string): Readonly<Record<string, string>> {
    const { request, origin, cause } = this.#jobs.get(id) ?? {};
    return {
      // Callers do not get the text of an internal error; its author does.
      ...(cause !== undefined && { "error-message": cut(cause) }),
      ...(origin !== undefined && { origin }),
      ...(request !== undefined && {
        request: cut(request),
      }),
    };
  }

  #kept(id: string): Kept {
    const known = this.#jobs.get(id);
    if (known !== undefined) return known;
    const kept: Kept = { logs: [], calls: [] };
    this.#jobs.set(id, kept);
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > mostJobs && oldest !== undefined) this.#jobs.delete(oldest);
    return kept;
  }
}

function cut(text: string): string {
  return text.length <= longestBrief ? text : `${text.slice(0, longestBrief - 1).toWellFormed()}…`;
}

/** Undefined for a job without a request. */
function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(value) as string | undefined;
}

/** A line without the ids that all lines of its job have. */
function lineOf({ fields, ...line }: NotedRecord): NotedRecord {
  const { job_id: _, tool: __, trace_id: ___, span_id: ____, ...more } = fields;
  return { ...line, fields: more };
}
