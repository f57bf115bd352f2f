import type { StepWrite, StoredMessage, StoredStep } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { StaleError } from "../../job/steps/step-errors.ts";
import { type BookAnswer, type BookCall, receiveError } from "./messages.ts";

type Answered = Extract<BookAnswer, { readonly id: string }>;
type Opened = Extract<BookAnswer, { readonly answer: "opened" }>;
/** A call to the step record, without its id. */
type Asked<Call = BookCall> = Call extends { readonly id: string } ? Omit<Call, "id"> : never;

/** The step record of a job inside a thread: each call is sent to the main thread, which has the store. */
export class ThreadBook {
  readonly #send: (call: BookCall) => void;
  readonly #waiting = new Map<string, PromiseWithResolvers<Answered>>();
  readonly #messages = new Map<string, StoredMessage>();
  readonly #asked = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #opening: Promise<StepBook> | undefined;

  constructor(send: (call: BookCall) => void) {
    this.#send = send;
  }

  open(): Promise<StepBook> {
    return (this.#opening ??= this.#ask({ call: "open" }).then((answer) => this.#opened(answer as Opened)));
  }

  /** Handles an answer of the main thread. */
  heard(answer: BookAnswer): void {
    if (answer.answer === "message") {
      this.#messages.set(answer.message.name, answer.message);
      for (const listener of this.#listeners) listener();
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.answer !== "failed") waiting?.resolve(answer);
    else waiting?.reject(answer.isStale ? new StaleError() : receiveError(answer.error));
  }

  #ask(call: Asked): Promise<Answered> {
    // The id is random, so that an answer to an earlier run of the job is not taken for an answer to this run.
    const id = crypto.randomUUID();
    const waiting = Promise.withResolvers<Answered>();
    this.#waiting.set(id, waiting);
    this.#send({ ...call, id });
    return waiting.promise;
  }

  #opened({ steps, parks }: Opened): StepBook {
    const known = new Map<string, StoredStep>(steps.map((step) => [step.key, step]));
    const book: StepBook = {
      known,
      keep: async (step: StepWrite) => {
        const answer = await this.#ask({ call: "keep", step });
        if (answer.answer === "kept" && answer.step !== undefined) known.set(step.key, answer.step);
      },
      message: (name) => {
        if (!this.#asked.has(name)) this.#send({ call: "message", name });
        this.#asked.add(name);
        return this.#messages.get(name);
      },
      onMessage: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      refresh: async () => void (await this.#ask({ call: "refresh" })),
      left: async (key) => {
        const answer = await this.#ask({ call: "left", key });
        return answer.answer === "left" ? answer.left : 0;
      },
    };
    return parks ? { ...book, park: (parking) => this.#send({ call: "park", parking }) } : book;
  }
}
