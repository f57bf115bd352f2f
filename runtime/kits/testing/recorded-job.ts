import type { ToolError } from "../../base/errors.ts";
import { currentJob } from "../../job/current-job.ts";
import { JobContext } from "../../executor/run/job-context.ts";
import { newJobUrn, parseJobId } from "../../job/job-id.ts";
import { createMemoryBook } from "../../job/steps/memory-book.ts";
import type { StepFailure, StoredStep } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import type { JobCaller } from "../../job/job.ts";
import { RunningJob } from "../../executor/running/running-job.ts";
import type { PlatformClient } from "../../outside/platform/platform-client.ts";
import { noPlatform } from "../../service/config/platform-settings.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { createAnsweringClient, type Answers } from "./answers.ts";
import { createFakePlatform } from "./fake-platform.ts";
import { GivenNames } from "./given-names.ts";
import { createRecording, type Recording } from "./recording.ts";

/** Options of a job under test. */
export interface JobOptions {
  /** Cancels the job when it is aborted, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Bare id or URN; default: a new one. */
  readonly jobId?: string;
  /** Value of `job.jobAuthorization`, `Bearer` included; default: none, as outside the platform. */
  readonly authorization?: string;
  /** `job.caller`; members left out are empty. Default: undefined, as if callers are not authenticated. */
  readonly caller?: Partial<JobCaller>;
  /** Value of `job.platform`; default: an empty `fakePlatform()`. */
  readonly platform?: PlatformClient;
  /** Results of steps that an earlier attempt has stored, by name or `name[key]`, as JSON: these steps do not run. */
  readonly kept?: Readonly<Record<string, unknown>>;
  /** Steps that have failed for good in an earlier attempt, by name or `name[key]`: they throw `StepError`. */
  readonly failed?: Readonly<Record<string, StepFailure>>;
  /** Messages for `job.wait` that have already arrived, by name or `name[key]`, as a sender writes them. */
  readonly messages?: Readonly<Record<string, unknown>>;
  /**
   * Present in what `GET /jobs/{id}/history` returns: a recorded history may name steps that the tool no longer has,
   * names that a test writes may not.
   */
  readonly steps?: readonly unknown[];
  /** Answers to the questions of the job (`job.ask`, `job.request`); default: questions are not supported. */
  readonly answers?: Answers;
}

/** A real job without executor, store and network. */
export class RecordedRun extends RunningJob {
  readonly recording: Recording = createRecording();
  readonly given: PlatformClient;
  override readonly context: JobContext;
  readonly names: GivenNames;
  readonly #options: JobOptions;
  #book: Promise<StepBook> | undefined;

  constructor(tool: Tool, input: unknown, options: JobOptions) {
    const { authorization, answers, caller } = options;
    const submission = {
      tool,
      input,
      authorization,
      ...(caller !== undefined && { caller: { scopes: [], claims: {}, ...caller } }),
      // The stream is collected, so that a test can read its bytes.
      repeatable: true,
      ...(answers !== undefined && { client: createAnsweringClient(answers) }),
    };
    super(readId(options.jobId), submission, noLane, noHost);
    this.#options = options;
    this.names = new GivenNames(options);
    this.given = options.platform ?? createFakePlatform();
    this.context = new JobContext(this, this.given);
    this.onEvent((event) => this.recording.add(event));
  }

  override book(): Promise<StepBook> {
    return (this.#book ??= Promise.resolve(this.names.follow(bookOf(this.#options))));
  }

  /** Cancels the job when the signal is aborted. Returns a function that stops listening. */
  follow(signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => {};
    const cancel = (): void => this.cancel(textOf(signal.reason));
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    return () => signal.removeEventListener("abort", cancel);
  }
}

function bookOf({ kept = {}, failed = {}, messages = {} }: JobOptions): StepBook {
  const at = Date.now();
  const row = { attempt: 1, tries: 0, fingerprint: "", startedAt: at, endedAt: at };
  const done = Object.entries(kept).map(([key, value]): StoredStep => {
    return { ...row, key, state: "done", ...(value !== undefined && { value: JSON.stringify(value) }) };
  });
  const ended = Object.entries(failed).map(([key, error]): StoredStep => ({ ...row, key, state: "failed", error }));
  return createMemoryBook({
    steps: [...done, ...ended],
    messages: Object.entries(messages).map(([name, body]) => ({
      name,
      body: JSON.stringify(body) ?? "null",
      sentAt: at,
    })),
  });
}

/** A job for code that takes a `JobContext` and is not a tool. */
export interface RecordedJob extends Pick<Recording, "events" | "steps"> {
  /** A real context to give to the function. */
  readonly job: JobContext;
  /** Runs code inside the job, where `getJobContext()` and `getJobId()` find it. */
  run<T>(body: (job: JobContext) => T): T;
}

/**
 * Makes a job that records events and steps, for testing a function that a tool calls. To test a tool itself, use
 * `callTool`, which also checks request and result.
 *
 * ```ts
 * const { job, steps } = recordedJob();
 * await solve(tiles, job);
 * expect(steps).toMatchObject([{ name: "solve", finished: { message: "48 tiles placed" } }]);
 * ```
 */
export function recordedJob(options: JobOptions = {}): RecordedJob {
  const run = new RecordedRun(noTool, undefined, options);
  run.begin();
  run.follow(options.signal);
  const { context: job, recording } = run;
  const { events, steps } = recording;
  return { job, events, steps, run: (body) => currentJob.run(run, () => body(job)) };
}

/** A placeholder: the code under test has no tool. */
const noTool: Tool = {
  name: "test",
  path: "/tool",
  options: {},
  definition: {
    name: "test",
    description: "",
    signature: "test()",
    source: "test",
    annotations: {},
    result: { kind: "none" },
    mcp: { inputSchema: { type: "object" } },
  },
  functions: { call: () => undefined },
};

const noLane = { release(): void {}, retake(): void {}, remove(): void {}, waitsSince: () => undefined };
const noHost = {
  sinks: [],
  observer: undefined,
  platform: noPlatform,
  ended(): void {},
};

function readId(text: string | undefined): RunningJob["id"] {
  if (text === undefined) return newJobUrn();
  const id = parseJobId(text);
  if (id !== undefined) return id;
  throw new TypeError(`jobId: ${JSON.stringify(text)} is not a job id; write one such as "urn:platform:job:one".`);
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? (reason as Error | ToolError).message : String(reason);
}
