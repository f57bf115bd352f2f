import { thrownMessage } from "./job-stack.ts";
import {
  type Fields,
  type JobNotes,
  type KeptNotes,
  type NotedCall,
  type NotedRecord,
  type Redact,
  ShownNotes,
} from "./shown-notes.ts";

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

/** Notes that go on. */
interface Kept extends KeptNotes {
  request?: string | undefined;
  /** True once the job runs: from then on, no other call replaces its request. */
  hasBegun?: boolean;
  origin?: string;
  readonly logs: NotedRecord[];
  earlier: number;
  readonly calls: NotedCall[];
  readonly hidden: Map<number, string>;
  /** Calls of worker threads by the key that the thread gave them. */
  readonly sent: Map<string, NotedCall>;
  builtAt: number;
  thrown?: unknown;
  cause?: string;
}

/** Maximum numbers: jobs; log lines, and calls or hidden errors, of a job; characters of a noted request. */
const [mostJobs, mostLines, mostCalls, longestRequest] = [300, 200, 200, 100_000];

/** Notes of the latest jobs for the console: they are only in memory, until the process ends. */
export class JobNotebook {
  readonly #shown: ShownNotes;
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
    this.#shown = new ShownNotes(root, redact);
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
    return this.#shown.whole(this.#jobs.get(id) ?? emptyNotes(), (start) => this.#numbers.get(start));
  }

  /** The part of a job's notes that a list shows. */
  brief(id: string): Readonly<Record<string, string>> {
    return this.#shown.brief(this.#jobs.get(id) ?? emptyNotes());
  }

  #kept(id: string): Kept {
    const known = this.#jobs.get(id);
    if (known !== undefined) return known;
    const kept = emptyNotes();
    this.#jobs.set(id, kept);
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > mostJobs && oldest !== undefined) this.#jobs.delete(oldest);
    return kept;
  }
}

function emptyNotes(): Kept {
  return { logs: [], earlier: 0, builtAt: Infinity, calls: [], hidden: new Map(), sent: new Map() };
}

/** Converts a request to JSON; undefined for a job without a request, and for one that is too long to be noted. */
function jsonOf(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length > longestRequest ? undefined : text;
}
