import { readThrown, type Thrown } from "./job-stack.ts";
import { readText, type StackPart, type StackPlace } from "./stack-frames.ts";

/** Returns a copy without secrets. */
export type Redact = (fields: Fields) => Fields;
export type Fields = Readonly<Record<string, unknown>>;

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
export interface NotedCall {
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

/** The notes of a job. */
export interface KeptNotes {
  /** The whole request as JSON. */
  readonly request?: string | undefined;
  readonly origin?: string;
  readonly logs: readonly NotedRecord[];
  /** Number of lines that were dropped for later ones. */
  readonly earlier: number;
  readonly calls: readonly NotedCall[];
  readonly hidden: ReadonlyMap<number, string>;
  /** Time at which the build that ran the job last was loaded, in milliseconds since 1970. */
  readonly builtAt: number;
  readonly thrown?: unknown;
  /** Text of what author code threw, or of the reason why its result was refused. */
  readonly cause?: string;
}

/** A call in the form of answers: `step` is the number of the event with which its step began. */
type ShownCall = Omit<NotedCall, "start"> & { readonly step?: number };

/** A record in the form of answers. If it has stacks with own code, `message` is the text before them. */
type ShownRecord = NotedRecord & { readonly stacks?: readonly StackPart[] };

/** The answer of `GET /jobs/:id/debug`. */
export interface JobNotes {
  /** The request as JSON, without secrets; absent if it is too long to be noted. */
  readonly request?: string;
  /** Lines that the job has logged; the latest ones if there are many. */
  readonly logs: readonly ShownRecord[];
  /** Number of earlier lines that are left out; absent for none. */
  readonly earlier?: number;
  /** Outbound requests and spans in the order in which they were noted; the first ones if there are many. */
  readonly calls?: readonly ShownCall[];
  /** The error by which author code, or its wrong result, ended the job; with causes and inner errors. */
  readonly error?: Thrown & { readonly causes: readonly Thrown[] };
  /** Texts of errors that callers do not get, by the number of the event that reports the error. */
  readonly hidden?: Readonly<Record<number, string>>;
}

/** Maximum characters of a request or an error in a list. */
const longestBrief = 300;

/** Puts the notes of jobs into the form in which the console gets them. */
export class ShownNotes {
  readonly #root: string;
  readonly #redact: Redact;
  /** Requests without secrets: each is redacted once, since lists are read every second. */
  readonly #requests = new WeakMap<KeptNotes, { readonly of: string; readonly text: string }>();

  /**
   * Creates the form for one project.
   *
   * @param root Folder of the project, whose source lines are shown
   * @param redact Removes from a request what the log does not show
   */
  constructor(root: string, redact: Redact) {
    this.#root = root;
    this.#redact = redact;
  }

  /**
   * Returns all notes of a job.
   *
   * @param numberOf Returns the number of a start event
   */
  whole(kept: KeptNotes, numberOf: (start: object) => number | undefined): JobNotes {
    const { logs, earlier, builtAt, calls, hidden, thrown, cause } = kept;
    const request = this.#request(kept);
    const place = { root: this.#root, builtAt };
    const [outer, ...causes] = thrown === undefined ? [] : readThrown(thrown, place);
    // An error without a cause is tenon's own, such as that of a timeout, unless it came through author code.
    const isAuthors = cause !== undefined || outer?.frames.some((frame) => "place" in frame);
    const error = outer !== undefined && isAuthors ? { ...outer, causes } : undefined;
    // The log line that reports the job's error is left out, since the error itself is shown.
    const shown = logs.filter(({ name, message }) => !(error && name === "tenon" && message.startsWith("job failed")));
    return {
      ...(request !== undefined && { request }),
      logs: shown.map((record) => shownRecord(record, place)),
      ...(earlier > 0 && { earlier }),
      ...(calls.length > 0 && { calls: calls.map((call) => shownCall(call, numberOf)) }),
      ...(error && { error }),
      ...(hidden.size > 0 && { hidden: Object.fromEntries(hidden) }),
    };
  }

  /** Returns the part of a job's notes that a list shows. */
  brief(kept: KeptNotes): Readonly<Record<string, string>> {
    const { origin, cause } = kept;
    const request = this.#request(kept);
    return {
      // The text of an internal error is shown here, to the author; callers do not get it.
      ...(cause !== undefined && { "error-message": cut(cause) }),
      ...(origin !== undefined && { origin }),
      ...(request !== undefined && { request: cut(request) }),
    };
  }

  #request(kept: KeptNotes): string | undefined {
    const { request } = kept;
    if (request === undefined) return undefined;
    const known = this.#requests.get(kept);
    if (known?.of === request) return known.text;
    const text = JSON.stringify(this.#redact({ request: JSON.parse(request) as unknown })["request"]);
    this.#requests.set(kept, { of: request, text });
    return text;
  }
}

function shownCall({ start, ...call }: NotedCall, numberOf: (start: object) => number | undefined): ShownCall {
  const step = start === undefined ? undefined : numberOf(start);
  return { ...call, ...(step !== undefined && { step }) };
}

/** Reads the stacks of a record, and removes the ids that all log lines of the job share. */
function shownRecord({ fields, message, ...record }: NotedRecord, place: StackPlace): ShownRecord {
  const { job_id: _, tool: __, trace_id: ___, span_id: ____, ...more } = fields;
  const [text, stacks] = readText(message, place);
  return { ...record, message: text, fields: more, ...(stacks.length > 0 && { stacks }) };
}

function cut(text: string): string {
  return text.length <= longestBrief ? text : `${text.slice(0, longestBrief - 1).toWellFormed()}…`;
}
