import type { JobOutcome } from "../../job/job.ts";

type EndListener = (outcome: JobOutcome) => void;

/** Listeners for the end of a job; nearly every job has one. */
export class EndListeners {
  #first: EndListener | undefined;
  #more: EndListener[] | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(listener: EndListener): void {
    if (this.#first === undefined) this.#first = listener;
    else (this.#more ??= []).push(listener);
  }

  /** Calls all listeners with the outcome. Has no effect when called again. */
  tell(outcome: JobOutcome): void {
    this.#first?.(outcome);
    if (this.#more !== undefined) for (const listener of this.#more) listener(outcome);
    this.#first = undefined;
    this.#more = undefined;
  }
}
