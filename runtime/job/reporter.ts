import { devHostKey } from "../contract/process-keys.ts";
import { ValueError } from "../base/errors.ts";
import type { JobSpan, StepSpan } from "./job-span.ts";
import {
  BaseEvent,
  GenericEvent,
  StepErrorEvent,
  StepFinishEvent,
  StepStartEvent,
  type EventOptions,
} from "./event.ts";
import { cutText } from "../base/brief.ts";
import { isThenable } from "../base/is-thenable.ts";
import { printable } from "../base/json-safe.ts";

/** A message for people about a step, and any other fields. */
export interface StepOptions {
  readonly message?: string;
  readonly [key: string]: unknown;
}

/**
 * Records an event at once; it never waits and never throws. `internal`: the text of the error must not reach callers.
 */
export type Emit = (event: BaseEvent, internal?: boolean) => void;

/**
 * Reports the progress of one job. Reporting never waits and never fails the job, whatever values it gets.
 *
 * ```ts
 * await job.report.step("load", { message: "Loading" }, async (step) => {
 *   step.info({ progress: 50 });
 *   step.finished({ message: "Loaded" });
 * });
 * ```
 */
export class EventReporter {
  readonly #emit: Emit;
  readonly #span: JobSpan | undefined;
  /** The steps that were started with `stepStarted`; of those with one name, the oldest ends first. */
  #open: (readonly [name: string, span: StepSpan])[] | undefined;

  /** `span`: makes a span of every step. */
  constructor(emit: Emit, span?: JobSpan) {
    this.#emit = emit;
    this.#span = span;
  }

  /**
   * Runs `callback` as a step. Reports a start event, then a finish event (unless `step.finished` was called) or a step
   * error when the callback throws. The exception is rethrown.
   */
  step<T>(name: string, options: StepOptions, callback: (step: EventContext) => T): T;
  step<T>(name: string, callback: (step: EventContext) => T): T;
  /** Starts a step that ends with its block: `using step = job.report.step("load")`. Exceptions are not reported. */
  step(name: string, options?: StepOptions): EventContext;
  step<T>(
    name: string,
    optionsOrCallback?: StepOptions | ((step: EventContext) => T),
    callback?: (step: EventContext) => T,
  ): T | EventContext {
    const run = typeof optionsOrCallback === "function" ? optionsOrCallback : callback;
    const options = typeof optionsOrCallback === "function" ? {} : (optionsOrCallback ?? {});
    const start = new StepStartEvent(name, eventOptions(options));
    this.#emit(start);
    const span = this.#span?.startStep(name, options);
    const step = new EventContext(name, this.#emit, span);
    if (run === undefined) return step;
    const own = (): T => runStep(step, run, this.#emit, span);
    const dev = Reflect.get(globalThis, devHostKey) as StepHost | undefined;
    const placed = dev?.inStep === undefined ? own : (): T => dev.inStep?.(start, own) as T;
    return span === undefined ? placed() : span.run(placed);
  }

  /** Reports the start of a step, for steps that are not a block of code. */
  stepStarted(name: string, options: StepOptions = {}): void {
    this.#emit(new StepStartEvent(name, eventOptions(options)));
    if (this.#span !== undefined) (this.#open ??= []).push([name, this.#span.startStep(name, options)]);
  }

  /** Reports the end of a step that was started by `stepStarted`. */
  stepFinished(name: string, options: StepOptions = {}): void {
    this.#emit(new StepFinishEvent(name, eventOptions(options)));
    const oldest = this.#open?.find(([started]) => started === name);
    oldest?.[1].end();
    this.#open = this.#open?.filter((step) => step !== oldest);
  }

  /** Reports any event. */
  emit(event: BaseEvent): void {
    this.#emit(event);
  }
}

/** The part of `tenon dev` that places calls below steps. */
interface StepHost {
  readonly inStep?: <T>(start: object, run: () => T) => T;
}

/** A running step. */
export class EventContext implements Disposable {
  readonly name: string;
  readonly #emit: Emit;
  readonly #span: StepSpan | undefined;
  #finished = false;

  constructor(name: string, emit: Emit, span?: StepSpan) {
    this.name = name;
    this.#emit = emit;
    this.#span = span;
  }

  /** Reports progress: fields (they become a generic event with the step's name) or an event of your own. */
  info(progress: EventOptions | BaseEvent): void {
    this.#emit(progress instanceof BaseEvent ? progress : new GenericEvent(this.name, progress));
  }

  /** Reports an error without ending the step. */
  error(error: unknown, context: string = this.name): void {
    this.#span?.failed(error);
    this.#emit(new StepErrorEvent(errorText(error), context, frames(error)), !isPublic(error));
  }

  /** Ends the step with a message or other fields. */
  finished(options: StepOptions = {}): void {
    this.#finished = true;
    this.#span?.end();
    this.#emit(new StepFinishEvent(this.name, eventOptions(options)));
  }

  [Symbol.dispose](): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#span?.end();
    this.#emit(new StepFinishEvent(this.name));
  }
}

function runStep<T>(step: EventContext, run: (step: EventContext) => T, emit: Emit, span?: StepSpan): T {
  const fail = (error: unknown): never => {
    span?.failed(error);
    span?.end();
    emit(new StepErrorEvent(errorText(error), step.name, frames(error)), !isPublic(error));
    throw error;
  };
  let value: T;
  try {
    value = run(step);
  } catch (error) {
    return fail(error);
  }
  if (isThenable(value)) {
    // The queries of many libraries begin only when their `then` is called, which has to happen within the step.
    return Promise.resolve(value).then((result: unknown) => {
      step[Symbol.dispose]();
      return result;
    }, fail) as T;
  }
  step[Symbol.dispose]();
  return value;
}

/** The message is added last, and only if there is one, as platforms expect. */
function eventOptions(options: StepOptions): EventOptions {
  const { message, ...rest } = options;
  return message === undefined || message === "" ? rest : { ...rest, message };
}

function isPublic(error: unknown): boolean {
  try {
    return typeof error === "string" || error instanceof ValueError;
  } catch {
    return false;
  }
}

/** Maximum characters of an error's text in an event. */
const longestError = 8000;

function errorText(error: unknown): string {
  try {
    return cutText(error instanceof Error ? String(error.message) : printable(error), longestError);
  } catch {
    return cutText(printable(error), longestError);
  }
}

function frames(error: unknown): readonly string[] | undefined {
  try {
    if (!(error instanceof Error) || typeof error.stack !== "string") return undefined;
    const lines = error.stack.split("\n").map((line) => line.trim());
    return lines.filter((line) => line.startsWith("at ")).slice(0, 50);
  } catch {
    return undefined;
  }
}
