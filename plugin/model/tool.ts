import type { KeptOfTool, RetryModel } from "./kept.ts";
import type { JsonLiteral, Position, TypeModel } from "./type.ts";

/** One parameter of the author's function, in order. */
export type ParameterModel =
  /** Parameter that takes the whole decoded request. */
  | { readonly kind: "request" }
  /** Parameter that takes one field of a request that was made from positional parameters. */
  | { readonly kind: "field"; readonly key: string; readonly rest?: true }
  /** Parameter that takes the `JobContext`. */
  | { readonly kind: "job" };

export interface RequestModel {
  /** An `object`, or a `ref` to one. */
  readonly type: TypeModel;
  readonly urn?: string;
  /** True if the request type was made from positional parameters. */
  readonly synthesised?: true;
}

export interface ResultModel {
  readonly kind: "json" | "text" | "bytes" | "binary" | "content" | "none";
  /** Type of a `json` or `text` result. */
  readonly type?: TypeModel;
  readonly urn?: string;
}

/** The place in a module where a generated call is inserted: an offset into the source text, and the text around it. */
export interface InsertionPoint {
  /** UTF-16 offset in the module's text; the call is inserted before the character at that offset. */
  readonly offset: number;
}

/** The model of one tool, for all later stages of the plugin. */
export interface ToolModel {
  /** Set for `@prompt` and `@resource` instead of `@tool`. */
  readonly kind?: "prompt" | "resource";
  /** `@resource URI`: address or template. */
  readonly uri?: string;
  /** `@mimeType`, `@audience` and `@priority` of a resource. */
  readonly mimeType?: string;
  readonly audience?: readonly ("user" | "assistant")[];
  readonly priority?: number;
  readonly name: string;
  /** Expression for the author's function inside its module, for example `isPrime`. */
  readonly binding: string;
  readonly position: Position;
  readonly insertion: InsertionPoint;
  readonly title?: string;
  /** TSDoc summary and remarks, Markdown, trimmed. */
  readonly description: string;
  readonly signature: string;
  readonly path?: string;
  readonly readonly?: true;
  readonly destructive?: boolean;
  readonly idempotent?: true;
  readonly openWorld?: boolean;
  readonly icon?: string;
  readonly examples?: readonly { readonly title?: string; readonly request: JsonLiteral }[];
  /**
   * `@ask`: sentences of users, each with the request that a model should make; without a request, the model should
   * make none.
   */
  readonly asks?: readonly { readonly sentence: string; readonly request?: JsonLiteral }[];
  readonly timeout?: number;
  readonly thread?: true;
  /** `@keep`: jobs continue after their caller has disconnected. */
  readonly keep?: true;
  /** `@alwaysLoad`: asks hosts that search for tools to load this tool at once. */
  readonly alwaysLoad?: true;
  readonly retry?: RetryModel;
  readonly limit?: LimitModel;
  readonly priorities?: readonly PriorityModel[];
  readonly rate?: RateModel;
  readonly debounce?: DebounceModel;
  /**
   * Present when the function uses `job.step`, `job.sleep` or `job.wait`, so that its jobs are resumed after a crash.
   */
  readonly kept?: KeptOfTool;
  /** `@schedule`: times at which the service starts its jobs. */
  readonly schedules?: readonly ScheduleModel[];
  readonly deprecated?: true | string;
  /** `@category`: name of the group in which people see the tool. */
  readonly category?: string;
  /** `@task`: whether an MCP call becomes a task. */
  readonly task?: "required" | "optional" | "never";
  /** `@scope`: scopes that a caller's access token needs, if callers are authenticated. */
  readonly scopes?: readonly string[];
  /** `@inputSchema FILE`: content of the file, which replaces the generated schema on MCP. */
  readonly inputSchema?: JsonLiteral;
  /** `@view`: a path relative to the module that begins with a dot or a slash, or `auto`. */
  readonly view?: { readonly file: string };
  /** Literal options of `platformLambda`. */
  readonly options?: { readonly [key: string]: JsonLiteral };
  readonly parameters: readonly ParameterModel[];
  /** Absent if the function takes no data. */
  readonly request?: RequestModel;
  readonly result: ResultModel;
  /** Named and recursive types that `ref`s point to, by name, in order of first use. */
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** `@schedule`: times at which the service itself starts jobs of a tool. */
export interface ScheduleModel {
  readonly cron: string;
  readonly zone: string;
  /** Request of the jobs; absent for a tool without data. */
  readonly request?: JsonLiteral;
  readonly missed: "one" | "skip" | "all";
  readonly overlap: "skip" | "queue" | "cancel" | "allow";
  /** Maximum random delay in milliseconds. */
  readonly jitter?: number;
}

/** The part of a call by which a limit counts: each of its values has its own limit. */
export interface LimitKey {
  /** Key as written in the tag: `request.account`, `caller`, or `caller.client`. */
  readonly per?: string;
  /** True if the value is a number, so that `5`, and `"5.0"` from a caller that sends texts, are the same key. */
  readonly numeric?: true;
}

/** `@limit`: maximum number of jobs of a tool, or of each key, at a time. */
export interface LimitModel extends LimitKey {
  readonly jobs: number;
  /** Behaviour for a job above the limit: it waits, is refused, or replaces the oldest one. */
  readonly beyond: "wait" | "refuse" | "replace";
}

/** `@debounce`: of requests that follow one another quickly, only the last one runs. Times in milliseconds. */
export interface DebounceModel extends LimitKey {
  readonly wait: number;
  readonly most?: number;
}

/** `@priority`: head start of the jobs whose request has a value in a field. */
export interface PriorityModel {
  /** Milliseconds. */
  readonly headStart: number;
  /** Field as written in the tag: `request.plan`. */
  readonly when: string;
  readonly is: string | number | boolean;
}

/** `@rate`: maximum number of jobs of a tool, or of each key, that start within a time. */
export interface RateModel extends LimitKey {
  readonly starts: number;
  readonly each: "s" | "min" | "h" | "day";
  /** Number of jobs that may start at once after a pause. */
  readonly burst: number;
  readonly beyond: "wait" | "refuse";
}
