/** Sizes of the job executor and of its store of finished jobs. */
export interface ExecutorOpts {
  /** Number of jobs that run at the same time; default 4 × cores. */
  readonly maxWorkers?: number;
  /** Number of jobs that may wait for a free worker before callers get 503; default 1000. */
  readonly queueSize?: number;
  /** Number of finished jobs that are kept for later requests; default 10000. */
  readonly jobCacheSize?: number;
  /** Seconds that a finished job is kept; default 3600. */
  readonly jobCacheTtl?: number;
}

/** Seconds that a call waits for its result where no `maxWaitTime` says otherwise. */
export const defaultWait = 5;

/** Options of one tool, given to `platformLambda`. Literal values of the first group are read at build time. */
export interface ToolOptions {
  /** Name of the tool, as by `@name`: in paths, MCP, OpenAPI, the definition and the log. */
  readonly name?: string;
  /** REST path; begins with a slash. */
  readonly path?: string;
  /** Tags in the OpenAPI document. */
  readonly tags?: readonly string[];
  /** Accept `"12"` for a number, `"true"` for a boolean and one value for an array of one. */
  readonly coerce?: boolean;
  /** Refuse unknown keys instead of ignoring them. */
  readonly strict?: boolean;
  /** Text block of an MCP result, beside the structured content; default `json`. */
  readonly text?: "json" | "summary" | "none";

  /** Seconds that `POST` waits for the result before it answers 202; default 5. */
  readonly maxWaitTime?: number;
  /** Seconds after which a caller should poll again; default 3. */
  readonly refreshInterval?: number;
  /** `service-id` of the tool description; default `PLATFORM_SERVICE_ID`. */
  readonly serviceId?: string;
  /** Asked by `/readyz`; false or a rejection means not ready. */
  readonly isReady?: () => boolean | Promise<boolean>;
  readonly executorOpts?: ExecutorOpts;
}
