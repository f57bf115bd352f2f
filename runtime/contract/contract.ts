/**
 * The agreement of generated code, plugin and runtime: plain data, no behaviour.
 *
 * Glossary:
 * - **artifact**: a stored file with a URN; **aspect**: a piece of metadata of anything with a URN
 * - **attempt**: one run of a job from the platform; the platform counts them
 * - **catalogue**: the part of an MCP port that only describes a service; it needs definitions, and no executor
 * - **chain** (outbound requests): one request of author code with its redirects and retries
 * - **conversation**: the questions of one job to its MCP client, and their answers
 * - **delivery**: sends events and results of jobs to the sidecar, with a queue in memory and a spool on disk
 * - **middleware**: the checks before all routes (Host, Origin, CORS, tokens, rate), for every kind of server
 * - **event**: one report of a job, such as progress; **step**: a named part of a job, with a start and an end
 * - **fault** (MCP): an error of the protocol itself, sent as a JSON-RPC error; an error of a tool is a result
 * - **front**: a protocol that turns requests into jobs (REST, MCP, batch)
 * - **gate**: decides before a request is read if it is admitted; **guard** (auth): makes gates, keeps tokens and keys
 * - **grant**: a job's token together with its attempt; the platform may replace it while the job runs
 * - **job**: one call of a tool
 * - **keeper**: keeps something valid by repeated work, such as leases (`LeaseKeeper`) or stored jobs (`JobKeeper`)
 * - **kept** job: a job in the store, so that callers can ask for it again by its id
 * - **lane**: the slots and the queue of one tool in an executor
 * - **lease**: the right to write about a job for some seconds, renewed by its worker
 * - **model**: the type of a request or a result; **wire value**: its form in JSON
 * - **offer**: a prompt or a resource: a function of the author's that only MCP serves
 * - **plain** (MCP): a request that the small engine answers; all others need the full engine, the SDK
 * - **port** (MCP): the interface between protocol engines and a service
 * - **service**: the process that serves tools; **tool**: an exported function that is served
 * - **sidecar**: the platform's local endpoint beside a service
 * - **spool**: the folder of results that could not be delivered yet
 * - **tail** (MCP): the end of an answer's text, after the id; a constant answer has a cached one
 * - **view**: an HTML page that MCP hosts show beside a tool's result
 * - **workplace**: the parts that run jobs (executor, store, delivery, telemetry), opened by every way to start
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
export type JsonSchema = JsonObject;

/** Behaviour hints that hosts show to people. A missing hint means "unknown". */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Audience and priority of a piece of content. */
export interface ContentAnnotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** Priority from 0 to 1. */
  readonly priority?: number;
  /** Time of the last change, RFC 3339. */
  readonly lastModified?: string;
}

/** A piece of an answer that a model or a person sees, as MCP writes it. Binary data is base64. */
export type ContentBlock = { readonly annotations?: ContentAnnotations } & (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType: string } & (
        | { readonly text: string }
        | { readonly blob: string }
      );
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
);

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** The request model of a tool as callers see it. */
export interface RequestDefinition {
  /** Schema URN of the model; value of `$schema` in requests that have this key. */
  readonly urn?: string;
  /** Full JSON Schema 2020-12; accepts exactly what the generated validator accepts. */
  readonly schema: JsonSchema;
}

/**
 * Form of a result on the wire. `json`: by schema. `text`: a string as text/plain. `bytes`: a `Uint8Array` as octets.
 * `binary`: a `BinaryResult` with its own content type. `content`: `Content` and strings, as JSON with a list of
 * blocks. `none`: nothing, JSON `null`.
 */
export type ResultKind = "json" | "text" | "bytes" | "binary" | "content" | "none";

export interface ResultDefinition {
  readonly kind: ResultKind;
  /** Schema URN of the model; value of `$schema`, the first key of the result. */
  readonly urn?: string;
  /** Full JSON Schema 2020-12 of a `json` or `text` result. */
  readonly schema?: JsonSchema;
}

/** Fields of a tool in `tools/list` beyond name, title, description and annotations. */
export interface McpDefinition {
  /** Request schema in the portable form: an object at the root, no optional `$schema` property. */
  readonly inputSchema: JsonSchema;
  /** Result schema in the portable form; omitted where hosts do not need one. */
  readonly outputSchema?: JsonSchema;
  /** True if the result is not an object and is therefore sent as `{ "result": … }`. */
  readonly wrapped?: true;
  /** `@task`: whether a call runs as an MCP task when the client supports tasks. */
  readonly task?: "required" | "optional" | "never";
  readonly _meta?: JsonObject;
}

export interface ToolExample {
  readonly title?: string;
  readonly request: JsonValue;
}

/** Build-time data about the view of a tool (`@view`). */
export interface ViewDefinition {
  /**
   * Names of positional parameters, in order; a rest parameter begins with `...`. Absent: the tool takes one request.
   */
  readonly parameters?: readonly string[];
}

/** Data about a tool for the script of its view. */
export interface ViewFacts {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly parameters?: readonly string[];
  readonly kind: ResultKind;
  /** True if the structured content has the result under the key `result`. */
  readonly wrapped?: true;
  /** Full schema of a `json` or `text` result. */
  readonly schema?: JsonSchema;
}

/** A module that a view is bundled into. */
export interface ViewModule {
  /** Makes the HTML document. */
  readonly page: (facts: ViewFacts) => string;
}

/** A step whose result is stored (`job.step`). */
export interface StepDefinition {
  readonly name: string;
  /** True if the name is used with keys, each of which has its own result. */
  readonly keyed?: true;
  readonly atMostOnce?: true;
  /** Digest of the result's type; `none` for a step without a result. */
  readonly fingerprint: string;
  /** Full JSON Schema 2020-12 of the result. */
  readonly schema?: JsonSchema;
}

/** A message that a tool waits for (`job.wait`). */
export interface WaitDefinition {
  readonly name: string;
  readonly keyed?: true;
  /** Scope that a sender of the message needs, if callers are authenticated. */
  readonly scope?: string;
  /** Full JSON Schema 2020-12 of the message. */
  readonly schema?: JsonSchema;
}

/** Retries of a failed job or step (`@retry`); times in milliseconds. */
export interface RetryDefinition {
  /** Number of attempts, the first one included. */
  readonly attempts: number;
  readonly from: number;
  readonly to: number;
}

/** Times at which the service itself starts jobs of a tool (`@schedule`). */
export interface ScheduleDefinition {
  /** Cron expression with five fields, or six with seconds first. */
  readonly cron: string;
  /** Name of a time zone. */
  readonly zone: string;
  /** The request of its jobs; absent for a tool without data. */
  readonly request?: JsonValue;
  /**
   * Handling of firings that were missed because no replica ran. `one`: runs the last missed one of a day; `skip`: runs
   * none; `all`: runs the last hundred.
   */
  readonly missed: "one" | "skip" | "all";
  /**
   * Handling of a firing while the previous job still runs. `skip`: the firing is left out; `queue`: it waits for that
   * job; `cancel`: it cancels that job; `allow`: both run.
   */
  readonly overlap: "skip" | "queue" | "cancel" | "allow";
  /** Maximum delay of a firing in milliseconds; the actual delay differs from one firing to the next. */
  readonly jitter?: number;
}

/** Maximum number of concurrent jobs of a tool, over all processes that share a store (`@limit`). */
export interface LimitDefinition {
  readonly jobs: number;
  /**
   * Each value of this expression has a limit of its own: `request.account`, `caller`, or `caller.client`. Absent: one
   * limit for all.
   */
  readonly per?: string;
  /** Behaviour for a job above the limit: it waits, is refused, or replaces the oldest one. */
  readonly beyond: "wait" | "refuse" | "replace";
}

/** Maximum number of starts of a tool's jobs within a time, over all processes that share a store (`@rate`). */
export interface RateDefinition {
  readonly starts: number;
  readonly each: "s" | "min" | "h" | "day";
  /** Expression like `per` of a limit; equal to it if the tool has both. */
  readonly per?: string;
  /** Number of jobs that may start at once after a pause. */
  readonly burst: number;
  /** Behaviour for a job beyond the rate: it waits until it may start, or is refused. */
  readonly beyond: "wait" | "refuse";
}

/** Runs only the last of several requests that follow one another within a time (`@debounce`). */
export interface DebounceDefinition {
  readonly seconds: number;
  /** Maximum seconds after the first request; the job then runs even if requests keep coming. */
  readonly most?: number;
  /** Expression like `per` of a limit; equal to it if the tool has both. */
  readonly per?: string;
}

/** Jobs that are queued as if they had arrived earlier (`@priority`): those whose request has a value in a field. */
export interface PriorityDefinition {
  /** Head start: a job passes others that came at most this long before it. */
  readonly seconds: number;
  /** Field of the request, for example `request.plan`. */
  readonly when: string;
  /** Value of the field, as callers send it. */
  readonly is: string | number | boolean;
}

/** Codec for the value of a step or a message. Generated. */
export interface KeptCodec {
  readonly fingerprint: string;
  /** True if the step or message has no value, so that there is nothing to encode. */
  readonly empty?: true;
  /** True if the value may be `undefined`. */
  readonly optional?: true;
  readonly schema?: JsonSchema;
  /** Functions as in {@link ToolFunctions}. */
  readonly encode?: (value: never) => unknown;
  readonly is?: (wire: unknown) => boolean;
  readonly decode?: (wire: never) => unknown;
}

/** Everything that the build knows about a tool. Generated; never written by hand. */
export interface ToolDefinition {
  /** Set for a function with `@prompt` or `@resource`. Only MCP serves these. */
  readonly kind?: "prompt" | "resource";
  /** Address of a resource, or the template of its addresses (RFC 6570). */
  readonly uri?: string;
  /** Media type and audience of a resource's content. */
  readonly mimeType?: string;
  readonly content?: ContentAnnotations;
  readonly name: string;
  readonly title?: string;
  /** Summary and remarks of the TSDoc comment, as Markdown. */
  readonly description: string;
  /** One line for people and agents, for example `isPrime(number: number): PrimeResult`. */
  readonly signature: string;
  /** File and line of the function, relative to the project, with forward slashes. */
  readonly source: string;
  /** REST path when the author chose one; begins with a slash. */
  readonly path?: string;
  readonly annotations: ToolAnnotations;
  /** Scopes that a caller needs (`@scope`), if callers are authenticated. */
  readonly scopes?: readonly string[];
  readonly request?: RequestDefinition;
  readonly result: ResultDefinition;
  readonly mcp: McpDefinition;
  readonly icon?: string;
  readonly examples?: readonly ToolExample[];
  readonly deprecated?: true | string;
  /** Name of the group in which people see the tool. */
  readonly category?: string;
  readonly retry?: RetryDefinition;
  readonly limit?: LimitDefinition;
  readonly rate?: RateDefinition;
  readonly debounce?: DebounceDefinition;
  readonly priorities?: readonly PriorityDefinition[];
  /** True if the function uses steps, sleeps or waits, so that its jobs are resumed after a crash. */
  readonly durable?: true;
  readonly steps?: readonly StepDefinition[];
  readonly waits?: readonly WaitDefinition[];
  readonly schedules?: readonly ScheduleDefinition[];
  /** Maximum milliseconds that a job may take (`@timeout`). */
  readonly timeout?: number;
  /** Jobs run in a worker thread (`@thread`). */
  readonly thread?: true;
  /** True if a job continues when its caller has disconnected, although nobody can request its result (`@keep`). */
  readonly keep?: true;
  /** The tool has a view (`@view`). */
  readonly view?: ViewDefinition;
  /** Literal options of `platformLambda`, read at build time. */
  readonly options?: JsonObject;
}

/** The compiled functions of a tool. None of them changes its argument. */
export interface ToolFunctions {
  /** The author's function. `platformLambda` keeps its options under this key. */
  readonly author?: unknown;
  /** Calls the author's function with its own parameter list. */
  readonly call: (request: never, job: never) => unknown;
  /** Validates a wire value as a request. Absent: every value is valid. */
  readonly isRequest?: (wire: unknown) => boolean;
  /** Decodes a valid wire request to the function's argument. Absent: the two are the same. */
  readonly decodeRequest?: (wire: never) => unknown;
  /**
   * Encodes the function's result as a wire value: `$schema` first, declared fields only. Absent: the two are the same.
   */
  readonly encodeResult?: (value: never) => unknown;
  /** Validates an encoded result. Absent: every value is valid. */
  readonly isResult?: (wire: unknown) => boolean;
  /**
   * Returns the limit and the head start of a call; present for a tool with `@limit`, `@rate`, `@debounce` or
   * `@priority`.
   */
  readonly limits?: (tool: never, call: never) => unknown;
  /** Yields the jobs that wait in this process in the order of their turns; present for a tool with `@priority`. */
  readonly order?: (waiting: never) => unknown;
  /** Loads the tool's view. */
  readonly view?: () => Promise<ViewModule>;
}

/** One mismatch between a value and its schema, with the same text in every protocol. */
export interface Problem {
  /** JSON Pointer (RFC 6901) to the value; empty for the whole document. */
  readonly path: string;
  /** The expected value in the author's words, for example `"fast" | "exact"`. */
  readonly expected: string;
  /** The received value, shortened; absent when it was missing or is secret. */
  readonly value?: JsonValue;
  readonly message: string;
}
