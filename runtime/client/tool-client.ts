import { CallError, unexpected } from "./call-error.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeResult } from "./decode-result.ts";
import { withSignal } from "./unless-aborted.ts";
import { progressOf, type JobProgress } from "./job-events.ts";
import type {
  CallOptions,
  JobEvent,
  RemoteJob,
  SendOptions,
  ToolFacts,
  Transport,
  WaitOptions,
  WireResult,
} from "./transport.ts";

/** Arguments of a call; a request that can be undefined is optional. */
type CallArguments<Request> = undefined extends Request
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions];

/** A job that was started. */
export interface JobHandle<Result> {
  /** Id of the job, by which the handle can be obtained again later: `client.tool.job(id)`. */
  readonly id: string;
  /** Waits for the end of the job; continues after lost connections and restarts of the service. */
  result(options?: WaitOptions): Promise<Result>;
  /** Yields the reports of the job, from its first event until its end; a stream that breaks is resumed. */
  events(options?: WaitOptions & { readonly after?: number }): AsyncGenerator<JobEvent, void, undefined>;
  /** Waits for the end of the job as `result` does, and calls the listener with each report of a step until then. */
  progress(listener: (progress: JobProgress) => void, options?: WaitOptions): Promise<Result>;
  /** Asks the service to cancel the job. */
  cancel(): Promise<void>;
  //#region messages
  /** Sends a message to a job that waits for it, or will wait for it (`job.wait`). */
  send(name: string, message: unknown, options?: SendOptions): Promise<void>;
  //#endregion
}

/** A tool of a service, as a function. */
export interface ToolClient<Request, Result> {
  /** Calls the tool and waits for its value. */
  (...given: CallArguments<Request>): Promise<Result>;
  /** Starts a job without waiting for its end. */
  start(...given: CallArguments<Request>): Promise<JobHandle<Result>>;
  /** Returns the handle of a job by its id, which the first handle of the job contains. */
  job(id: string): JobHandle<Result>;
}

//#region messages
/** The handle of a job that waits for messages; `Messages` has their types by their names. */
export interface WaitingJobHandle<Result, Messages> extends JobHandle<Result> {
  /** Sends a message to a job that waits for it, or will wait for it (`job.wait`). */
  send<Name extends keyof Messages & string>(name: Name, message: Messages[Name], options?: SendOptions): Promise<void>;
}

/** A tool whose jobs wait for messages. */
export interface WaitingToolClient<Request, Result, Messages> extends ToolClient<Request, Result> {
  start(...given: CallArguments<Request>): Promise<WaitingJobHandle<Result, Messages>>;
  job(id: string): WaitingJobHandle<Result, Messages>;
}
//#endregion

/** Makes the function of a tool. */
export function toolClient(
  transport: Transport,
  name: string,
  defaults: Pick<CallOptions, "timeout">,
): ToolClient<unknown, unknown> {
  const known = (signal?: AbortSignal): Promise<ToolFacts> => transport.tool(name, signal);
  const limited = (options: WaitOptions): Limit => limitOf({ timeout: defaults.timeout, ...options });

  const sender =
    <Answer>(send: (tool: ToolFacts, body: string, options: CallOptions) => Promise<Answer>) =>
    async (request?: unknown, options: CallOptions = {}): Promise<Answer> => {
      const body = encodeRequest(request);
      return inTime(options, async (signal) => send(await known(signal), body, { ...options, signal }));
    };
  const call = sender(async (tool, body, options) => valueOf(tool, await transport.call(tool, body, options)));
  const start = sender(async (...given) => {
    const started = await transport.start(...given);
    return handleOf(started.id, () => started);
  });

  function handleOf(id: string, find: (tool: ToolFacts) => RemoteJob): JobHandle<unknown> {
    /** Waits for the result, and calls the listener with the reports until then, all within one timeout. */
    const ended = (listener?: (progress: JobProgress) => void, options: WaitOptions = {}): Promise<unknown> =>
      inTime(options, async (signal) => {
        const tool = await known(signal);
        const job = find(tool);
        if (listener)
          for await (const event of job.events(0, signal)) {
            const progress = progressOf(event);
            if (progress) listener(progress);
          }
        return valueOf(tool, await job.result(signal));
      });
    return {
      id,
      result: (options) => ended(undefined, options),
      progress: ended,
      async *events({ after = 0, ...options } = {}) {
        const limit = limited(options);
        try {
          yield* find(await known(limit.signal)).events(after, limit.signal);
        } catch (error) {
          throw limit.explain(error);
        } finally {
          limit.clear();
        }
      },
      cancel: async () => find(await known()).cancel(),
      //#region messages
      send: async (message, value, options = {}) => find(await known()).send(message, encodeRequest(value), options),
      //#endregion
    };
  }

  async function inTime<T>(options: WaitOptions, act: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    const limit = limited(options);
    try {
      return await act(limit.signal);
    } catch (error) {
      throw limit.explain(error);
    } finally {
      limit.clear();
    }
  }

  return Object.assign(call, { start, job: (id: string) => handleOf(id, (tool) => transport.job(tool, id)) });
}

interface Limit {
  readonly signal: AbortSignal | undefined;
  /** Replaces the error of a request that was aborted by the timeout with the timeout's own error. */
  explain(error: unknown): unknown;
  clear(): void;
}

/** Combines the caller's signal and the timeout into one signal. */
function limitOf({ signal, timeout }: WaitOptions): Limit {
  signal?.throwIfAborted();
  const over = new AbortController();
  // A timer of 2 ** 31 milliseconds or more would fire at once.
  const isTimed = (timeout ?? Infinity) < 2e9;
  const timer = isTimed ? setTimeout(() => over.abort(), timeout) : undefined;
  return {
    signal: isTimed ? withSignal(signal, over.signal) : signal,
    explain: (error) =>
      over.signal.aborted && !signal?.aborted
        ? new CallError("timed-out", `There was no result within ${timeout} ms.`, { cause: error })
        : error,
    clear: () => clearTimeout(timer),
  };
}

/** Converts a result to the classes of its type. */
function valueOf(tool: ToolFacts, wire: WireResult): unknown | Promise<unknown> {
  if (wire.kind === "text") return wire.text;
  if (wire.kind === "blob")
    return tool.kind === "bytes" ? wire.blob.arrayBuffer().then((bytes) => new Uint8Array(bytes)) : wire.blob;
  if (tool.kind === "none") return undefined;
  //#region conversions
  try {
    if (tool.plan) return decodeResult(tool.plan, wire.value);
  } catch (error) {
    // The value may be nested deeper than the stack allows, or a number may have too many digits.
    throw unexpected("The result is not of its type.", { cause: error });
  }
  //#endregion
  return wire.value;
}
