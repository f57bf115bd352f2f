import { readThrown, type Thrown, thrownMessage } from "./job-stack.ts";

/** Returns a copy without secrets. */
type Redact = (fields: Fields) => Fields;
type Fields = Readonly<Record<string, unknown>>;

/** Parts of a job that the notebook uses. */
export interface NotedJob {
  readonly id: string;
  /** Calls the listener for each event; callers get `publicBody`. */
  onEvent(
    listener: (event: {
      readonly sequence: number;
      readonly event?: object | undefined;
      readonly body: Fields;
      readonly publicBody: Fields;
    }) => void,
  ): unknown;
  onEnd(listener: (outcome: { readonly state: string; readonly error?: Error }) => void): void;
}

/** Origin and request of a job. */
export interface NotedStart {
  readonly origin: string;
  /** Unparsed request of the job. */
  readonly input?: unknown;
  /** Id of the ended job that this job runs again. */
  readonly from?: string;
}

/** A record of the log. */
export interface NotedRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: string;
  /** Name of the logger. */
  readonly name: string;
  /** Message of the record, and the logged errors. */
  readonly message: string;
  /** Other fields of the record, with `job_id` if a job wrote it. */
  readonly fields: Fields;
}

/** An outbound request or a span, as the service reports it. */
interface NotedCall {
  readonly kind: "request" | "span";
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Duration in milliseconds; absent while it runs. */
  readonly took?: number;
  readonly status?: number;
  readonly error?: string;
  /** Id of a span, and of the span in which the call began. */
  readonly id?: string;
  readonly span?: string | undefined;
  /** Start event of the step in which the call began. */
  readonly start?: object | undefined;
}

/** A call in the form of answers: `step` is the number of the event with which its step began. */
type ShownCall = Omit<NotedCall, "start"> & { readonly step?: number };

/** The answer of `GET /jobs/:id/debug`. */
export interface JobNotes {
  /** The request as JSON, without secrets; absent if it is too long to be noted. */
  readonly request?: string;
  /** Lines that the job has logged; the latest ones if there are many. */
  readonly logs: readonly NotedRecord[];
  /** Number of earlier lines that are left out; absent for none. */
  readonly earlier?: number;
  /** Outbound requests and spans in the order in which they were noted; the first ones if there are many. */
  readonly calls?: readonly ShownCall[];
  /** The error by which author code, or its wrong result, ended the job; with causes and inner errors. */
  readonly error?: Thrown & { readonly causes: readonly Thrown[] };
  /** Texts of errors that callers do not get, by the number of the event that reports the error. */
  readonly hidden?: Readonly<Record<number, string>>;
}

interface Kept {
  request?: string | undefined;
  /** The request without secrets. */
  shown?: { readonly of: string; readonly text: string };
  /** True once the job runs: from then on, no other call replaces its request. */
  hasBegun?: boolean;
  origin?: string;
  readonly logs: NotedRecord[];
  /** Number of lines that were dropped for later ones. */
  earlier: number;
  readonly calls: NotedCall[];
  readonly hidden: Map<number, string>;
  /** Calls of worker threads by the key that the thread gave them. */
  readonly sent: Map<string, NotedCall>;
  /** Time at which the build that ran the job last was loaded, in milliseconds since 1970. */
  builtAt: number;
  thrown?: unknown;
  /** Text of what author code threw, or of the reason why its result was refused. */
  cause?: string;
}

/**
 * Maximum numbers: jobs; log lines, and calls or hidden errors, of a job; characters of a noted request, and of a
 * request in a list.
 */
const [mostJobs, mostLines, mostCalls, longestRequest, longestBrief] = [300, 200, 200, 100_000, 300];

/** Notes of the latest jobs for the console: they are only in memory, until the process ends. */
export class JobNotebook {
  readonly #root: string;
  readonly #redact: Redact;
  readonly #jobs = new Map<string, Kept>();
  /** Numbers of events, by which calls name their steps. */
  readonly #numbers = new WeakMap<object, number>();

  /**
   * Creates an empty notebook.
   *
   * @param root Folder of the project, whose source lines are shown
   * @param redact Removes from a request what the log does not show
   */
  constructor(root: string, redact: Redact = (request) => request) {
    this.#root = root;
    this.#redact = redact;
  }

  /** Records the start of a job, which may have begun or ended. */
  begin(id: string, { origin, input, from }: NotedStart): void {
    const kept = this.#kept(id);
    kept.origin = origin;
    kept.request ??= from === undefined ? jsonOf(input) : this.#jobs.get(from)?.request;
  }

  /** Records the request with which a job begins to run: calls with `@debounce` have replaced the one of its start. */
  began(id: string, input: unknown): void {
    const kept = this.#kept(id);
    kept.request = jsonOf(input);
    kept.hasBegun = true;
  }

  /** Records the request of a call that has joined a job, and forgets the job that the call would have had. */
  joined(id: string, input: unknown, call?: string): void {
    if (call !== undefined) this.#jobs.delete(call);
    const kept = this.#kept(id);
    if (kept.hasBegun !== true) kept.request = jsonOf(input);
  }

  /** Records that a build, loaded at the given time, begins to run a job, or continues it. */
  built(id: string, at: number): void {
    this.#kept(id).builtAt = at;
  }

  /** Records the errors of a job. */
  watch(job: NotedJob): void {
    const kept = this.#kept(job.id);
    job.onEvent(({ sequence, event, body: { error }, publicBody }) => {
      if (event !== undefined) this.#numbers.set(event, sequence);
      if (error !== publicBody["error"] && kept.hidden.size < mostCalls) kept.hidden.set(sequence, String(error));
    });
    job.onEnd(({ error }) => {
      kept.thrown = error?.cause ?? error;
      if (error?.cause !== undefined) kept.cause = thrownMessage(error.cause);
    });
  }

  /**
   * Records a line of the log, if a job wrote it. Events are not recorded here, since the job has its own list of them.
   */
  log(record: NotedRecord): void {
    const id = record.fields["job_id"];
    if (typeof id !== "string" || record.name === "event") return;
    const kept = this.#kept(id);
    kept.logs.push(record);
    if (kept.logs.length <= mostLines) return;
    kept.logs.shift();
    kept.earlier++;
  }

  /**
   * Records an outbound request, whose end will be written into `call`, or a span.
   *
   * @param key Set for a call of a worker thread, which sends its call again, with the same key, when the call has
   *   ended
   */
  call(id: string, call: NotedCall, key?: string): void {
    const { calls, sent } = this.#kept(id);
    const known = key === undefined ? undefined : sent.get(key);
    if (known !== undefined) Object.assign(known, call);
    else if (calls.length < mostCalls) {
      calls.push(call);
      if (key !== undefined) sent.set(key, call);
    }
  }

  /** The whole request of a job as JSON; undefined if it is not noted. */
  request(id: string): string | undefined {
    return this.#jobs.get(id)?.request;
  }

  /** Returns the notes of a job; empty for an unknown job. */
  of(id: string): JobNotes {
    const { logs = [], earlier, builtAt, calls = [], hidden, thrown, cause } = this.#jobs.get(id) ?? {};
    const request = this.#shown(id);
    const [outer, ...causes] = thrown === undefined ? [] : readThrown(thrown, this.#root, builtAt);
    // An error without a cause is tenon's own, such as that of a timeout, unless it came through author code.
    const isAuthors = cause !== undefined || outer?.frames.some((frame) => "place" in frame);
    const error = outer !== undefined && isAuthors ? { ...outer, causes } : undefined;
    // The log line that reports the job's error is left out, since the error itself is shown.
    const shown = logs.filter(({ name, message }) => !(error && name === "tenon" && message.startsWith("job failed")));
    return {
      ...(request !== undefined && { request }),
      logs: shown.map(lineOf),
      ...(earlier && { earlier }),
      ...(calls.length > 0 && { calls: calls.map((call) => this.#shownCall(call)) }),
      ...(error && { error }),
      ...(hidden?.size && { hidden: Object.fromEntries(hidden) }),
    };
  }

  /** The part of a job's notes that a list shows. */
  brief(id: string): Readonly<Record<string, string>> {
    const { origin, cause } = this.#jobs.get(id) ?? {};
    const request = this.#shown(id);
    return {
      // The text of an internal error is shown here, to the author; callers do not get it.
      ...(cause !== undefined && { "error-message": cut(cause) }),
      ...(origin !== undefined && { origin }),
      ...(request !== undefined && { request: cut(request) }),
    };
  }

  #shownCall({ start, ...call }: NotedCall): ShownCall {
    const step = start === undefined ? undefined : this.#numbers.get(start);
    return { ...call, ...(step !== undefined && { step }) };
  }

  /** Redacts a request once: lists are read every second. */
  #shown(id: string): string | undefined {
    const kept = this.#jobs.get(id);
    if (kept?.request === undefined) return undefined;
    const { request, shown } = kept;
    if (shown?.of === request) return shown.text;
    const text = JSON.stringify(this.#redact({ request: JSON.parse(request) as unknown })["request"]);
    kept.shown = { of: request, text };
    return text;
  }

  #kept(id: string): Kept {
    const known = this.#jobs.get(id);
    if (known !== undefined) return known;
    const kept: Kept = { logs: [], earlier: 0, builtAt: Infinity, calls: [], hidden: new Map(), sent: new Map() };
    this.#jobs.set(id, kept);
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > mostJobs && oldest !== undefined) this.#jobs.delete(oldest);
    return kept;
  }
}

function cut(text: string): string {
  return text.length <= longestBrief ? text : `${text.slice(0, longestBrief - 1).toWellFormed()}…`;
}

/** Converts a request to JSON; undefined for a job without a request, and for one that is too long to be noted. */
function jsonOf(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length > longestRequest ? undefined : text;
}

/** Removes the ids that all log lines of the job share. */
function lineOf({ fields, ...line }: NotedRecord): NotedRecord {
  const { job_id: _, tool: __, trace_id: ___, span_id: ____, ...more } = fields;
  return { ...line, fields: more };
}
