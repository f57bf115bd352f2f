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

  remove(listener: EndListener): void {
    if (this.#first === listener) this.#first = this.#more?.shift();
    else this.#more = this.#more?.filter((one) => one !== listener);
  }

  /** Calls all listeners with the outcome. Has no effect when called again. */
  tell(outcome: JobOutcome): void {
    const [first, more] = [this.#first, this.#more];
    // Forgotten first: a listener may remove itself when it is called.
    this.#first = undefined;
    this.#more = undefined;
    first?.(outcome);
    if (more !== undefined) for (const listener of more) listener(outcome);
  }
}
