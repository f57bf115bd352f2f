/** Limits of the job executor and of its store of finished jobs. */
export interface ExecutorOpts {
  /** Number of jobs that run at the same time; default 4 × cores. */
  readonly maxWorkers?: number;
  /** Number of jobs that may wait for a free worker before callers get 503; default 1000. */
  readonly queueSize?: number;
  /** Maximum number of finished jobs that are stored for later requests; default 10000. */
  readonly jobCacheSize?: number;
  /** Seconds for which a finished job is stored; default 3600. */
  readonly jobCacheTtl?: number;
}

/** Default seconds for which a call waits for its result. */
export const defaultWait = 5;

/** Maximum seconds of a wait; more than a day would overflow a timer. */
export const longestWait = 86_400;

/**
 * Options of one tool, given to `platformLambda`. The options of the first group must be literals, since they are read
 * at build time.
 */
export interface ToolOptions {
  /** Name of the tool, as with `@name`: for paths, MCP, OpenAPI, the definition and the log. */
  readonly name?: string;
  /** REST path; begins with a slash. */
  readonly path?: string;
  /** Tags in the OpenAPI document. */
  readonly tags?: readonly string[];
  /** Accept `"12"` for a number, `"true"` for a boolean and one value for an array of one. */
  readonly coerce?: boolean;
  /** Refuse unknown keys instead of ignoring them. */
  readonly strict?: boolean;
  /** Text block of an MCP result, in addition to the structured content; default `json`. */
  readonly text?: "json" | "summary" | "none";

  /** Seconds for which `POST` waits for the result before it answers 202; default 5, at most a day. */
  readonly maxWaitTime?: number;
  /** Seconds after which a caller should poll again; default 3. */
  readonly refreshInterval?: number;
  /** `service-id` of the tool description; default `PLATFORM_SERVICE_ID`. */
  readonly serviceId?: string;
  /** Readiness check that `/readyz` calls; false or a rejection means not ready. */
  readonly isReady?: () => boolean | Promise<boolean>;
  readonly executorOpts?: ExecutorOpts;
}
