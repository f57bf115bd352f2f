/**
 * The form of a promise: calls of a small service, and their outcome. A folder of `test/promises/cases` has the service
 * (`src/tool.ts`, and files beside it) and its promises; `ways.ts` has the ways in which each is kept.
 */
import type { Serve, Way } from "./ways.ts";

/** Promises by their text, which is the row in `docs/ways.md`. */
export type Promises = Readonly<Record<string, Promised>>;

/** A promise with the folder of its service. */
export interface Known extends Promised {
  readonly service: string;
}

export interface Promised {
  /**
   * The service's setting: `open` has no authorisation, and telemetry over http/protobuf; `guarded` asks for access
   * tokens, and has telemetry over http/json. Default: both will do.
   */
  readonly setting?: Setting;
  /** Carried out in order. */
  readonly steps: readonly Step[];
  /** Ways of serving in which something else comes out, or the reason why the promise is not for them. */
  readonly elsewhere?: Readonly<Partial<Record<Serve, string | readonly Step[]>>>;
  /** The reason why the promise is not for a way; undefined where it is. */
  readonly except?: (way: Way) => string | undefined;
}

export type Setting = "open" | "guarded";

/** A step says one thing that callers do, or that must be seen from outside. */
export type Step = CallStep | AskStep | GetStep | RunStep | StopStep | HeardStep | LoggedStep | SpanStep;

/** Calls a tool. */
export interface CallStep {
  readonly call: string;
  readonly request?: unknown;
  /** Callers by name, each with a token of these scopes; in a guarded setting only. Default `ann`, with all. */
  readonly caller?: "ann" | "bob";
  /** Idempotency key. */
  readonly key?: string;
  readonly traceparent?: string;
  /** Answers by the text of the question; `decline` says no. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /**
   * The caller waits; it asks again later, where its protocol has that; it cancels; it goes away. With `runs` the next
   * step comes when the tool says that it runs, and nobody looks at the outcome.
   */
  readonly how?: "waits" | "later" | "cancels" | "leaves" | "runs";
  readonly out?: Out;
}

/** Outcome of a call. Patterns match texts, objects may have more keys, lists have the same length. */
export interface Out {
  /** JSON value or text. */
  readonly value?: unknown;
  readonly bytes?: { readonly type?: unknown; readonly base64: string };
  readonly failure?: { readonly kind?: unknown; readonly message?: unknown; readonly problems?: unknown };
  readonly events?: readonly unknown[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** A request of MCP beside `tools/call`. */
export interface AskStep {
  readonly ask: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly out: Readonly<Record<string, unknown>>;
}

/** Reads a route of the server; `{job}` stands for the last call's job. */
export interface GetStep {
  readonly get: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked again until the answer is the expected one, or 40 seconds are over: other cells keep the database busy. */
  readonly soon?: true;
  readonly out: { readonly status: number; readonly type?: unknown; readonly body?: unknown };
}

/** Runs the built file with flags. */
export interface RunStep {
  readonly run: readonly string[];
  /** A file of JSON, whose path stands for `{file}` among the flags. */
  readonly file?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly out: {
    readonly code: number;
    readonly stdout?: unknown;
    readonly stderr?: unknown;
    readonly json?: unknown;
  };
}

/** Ends the process with SIGTERM when all other promises in it are tried, while the call before it may still run. */
export interface StopStep {
  readonly stop: "SIGTERM";
  readonly out: { readonly code: number | null; readonly stderr?: unknown };
}

/** A request that a tool has sent to the server of the runner. */
export interface HeardStep {
  readonly heard: { readonly path: string; readonly headers?: Readonly<Record<string, unknown>> };
}

/** A line of the log, of the job of the last call unless `ofJob` is false. */
export interface LoggedStep {
  readonly logged: Readonly<Record<string, unknown>>;
  readonly ofJob?: false;
}

/** A span that reached the collector. */
export interface SpanStep {
  readonly span: Readonly<Record<string, unknown>>;
}
