import { BinaryResult } from "../../job/binary-result.ts";
import { jsonSafeFields } from "../../base/json-safe.ts";
import type { JobResult } from "../../job/job.ts";
import { runJob } from "../../executor/run/run-job.ts";
import type { PlatformClient } from "../../outside/platform/platform-client.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { findTool } from "./find-tool.ts";
import { RecordedRun, type JobOptions } from "./recorded-job.ts";
import type { RecordedEvent, RecordedStep } from "./recording.ts";
import type { CallArguments, ResultOf, ToolFunction } from "../../client/request-types.ts";
import { ToolCallError } from "./tool-call-error.ts";

/** A successful call of a tool. */
export interface ToolCall<Result> {
  /** The function's result, after it was encoded and validated. The stream of a `BinaryResult` is collected. */
  readonly result: Result;
  /** Result in the form that callers get: the JSON value with its `$schema`, the text, or the bytes. */
  readonly wire: unknown;
  readonly events: readonly RecordedEvent[];
  readonly steps: readonly RecordedStep[];
  /** The job's `job.platform`, with everything that the tool stored there. */
  readonly platform: PlatformClient;
}

/** State of the author's function, apart from the outcome of the job. */
interface Watch {
  value: unknown;
  thrown: unknown;
  /** Resolves when the function has returned or thrown, also after its job was cancelled. */
  settled: Promise<void>;
}

/**
 * Calls a tool in this process as a service would. The request is encoded, validated and decoded; the function runs in
 * a job of its own; the result is encoded and checked. Tools with `@thread` run in this process, too.
 *
 * ```ts
 * const { result, steps } = await callTool(isPrime, { number: 997 });
 * expect(result).toEqual({ number: 997, isPrime: true });
 * await expect(callTool(isPrime, { number: -1 })).rejects.toMatchObject({ kind: "validation" });
 * ```
 *
 * Waits until the function has returned, even if the job was cancelled before. A function that ignores `job.signal`
 * keeps the test waiting.
 *
 * @throws ToolCallError when the job fails; the error has the events that were reported
 * @throws TypeError when the function is not a tool, when the plugin is missing, or for a name in `kept`, `failed` or
 *   `messages` that the tool does not have
 */
export async function callTool<Tool extends ToolFunction>(
  tool: Tool,
  ...[request, options = {}]: CallArguments<Tool, JobOptions>
): Promise<ToolCall<ResultOf<Tool>>> {
  const found = findTool(tool);
  const watch: Watch = { value: undefined, thrown: undefined, settled: Promise.resolve() };
  const run = new RecordedRun(watched(found, watch), jsonSafeFields({ request })["request"], options);
  const unfollow = run.follow(options.signal);
  runJob(run);
  const outcome = await run.done;
  await watch.settled;
  unfollow();
  run.names.check(found.definition, outcome.state === "succeeded");
  const { recording, given: platform } = run;
  if (outcome.state !== "succeeded") throw new ToolCallError(outcome.error, recording, watch.thrown);
  const { events, steps } = recording;
  const result = resultOf(found, outcome.result, watch.value) as ResultOf<Tool>;
  return { result, wire: wireOf(outcome.result), events, steps, platform };
}

/** Wraps a tool's function so that its result is recorded. */
function watched(tool: Tool, watch: Watch): Tool {
  const call = (request: never, job: never): unknown => {
    let value: unknown;
    try {
      value = tool.functions.call(request, job);
    } catch (error) {
      watch.thrown = error;
      throw error;
    }
    watch.value = value;
    if (typeof value !== "object" || value === null || !("then" in value)) return value;
    const promise = Promise.resolve(value);
    watch.settled = promise.then(
      (result) => void (watch.value = result),
      (error: unknown) => void (watch.thrown = error),
    );
    return promise;
  };
  return { ...tool, functions: { ...tool.functions, call } };
}

function resultOf({ definition }: Tool, result: JobResult, given: unknown): unknown {
  if (definition.result.kind !== "binary" || result.kind !== "binary") return given;
  const { contentType, content } = result;
  // The stream has already been read, so the result gets the collected content.
  return content instanceof ReadableStream ? given : new BinaryResult(content, contentType);
}

function wireOf(result: JobResult): unknown {
  if (result.kind === "json") return JSON.parse(result.json);
  return result.kind === "text" ? result.text : result.content;
}
