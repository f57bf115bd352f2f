import type { NotedCall } from "./job-calls.ts";
import { type Frame, readStack } from "./job-stack.ts";

/** The parts of a job that are noted. */
export interface NotedJob {
  readonly id: string;
  onEnd(listener: (outcome: { readonly state: string; readonly error?: Error }) => void): void;
}

/** Origin and request of a job. */
export interface NotedStart {
  readonly origin: string;
  /** Its unparsed request. */
  readonly input?: unknown;
  /** The ended job of which this one is a new run. */
  readonly from?: string;
}

/** A record of the log. */
export interface NotedRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: string;
  /** Name of its logger. */
  readonly name: string;
  /** Its message, and the logged errors. */
  readonly message: string;
  /** Its other fields, with `job_id` if a job wrote it. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The answer of `GET /jobs/:id/debug`. */
export interface JobNotes {
  /** The request as JSON; absent if it is too long to be noted. */
  readonly request?: string;
  /** Lines that the job has logged; the latest ones if there are many. */
  readonly logs: readonly NotedRecord[];
  /** Outbound requests and spans in the order in which they were noted; the first ones if there are many. */
  readonly calls?: readonly NotedCall[];
  /** The error that ended the job, if author code threw it. */
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

/** Maximum numbers: jobs; log lines and calls of a job; characters of a noted request, and of a request in a list. */
const [mostJobs, mostLines, mostCalls, longestRequest, longestBrief] = [300, 200, 200, 100_000, 300];

/** Notes of the latest jobs for the console: they are only in memory, until the process ends. */
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

  /** Notes an outbound request, whose end will be written into `call`, or a span. */
  call(id: string, call: NotedCall): void {
    const { calls } = this.#kept(id);
    if (calls.length < mostCalls) calls.push(call);
  }

  /** The notes of a job; empty for an unknown job. */
  of(id: string): JobNotes {
    const { request, logs = [], calls = [], thrown } = this.#jobs.get(id) ?? {};
    const frames = readStack(thrown?.stack ?? "", this.#root);
    const error = frames.some((frame) => "place" in frame) ? { message: String(thrown), frames } : undefined;
    // The error itself is shown, so the log line that reports it is left out.
    const shown = logs.filter(({ name, message }) => !(error && name === "tenon" && message.startsWith("job failed")));
    return {
      ...(request !== undefined && { request }),
      logs: shown.map(lineOf),
      ...(calls.length > 0 && { calls }),
      ...(error && { error }),
    };
  }

  /** The part of a job's notes that a list shows. */
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

/** A line without the ids that all lines of the job share. */
function lineOf({ fields, ...line }: NotedRecord): NotedRecord {
  const { job_id: _, tool: __, trace_id: ___, span_id: ____, ...more } = fields;
  return { ...line, fields: more };
}
