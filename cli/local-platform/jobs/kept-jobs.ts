import { keysBefore } from "../../../runtime/job/steps/job-history.ts";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { KeptParts, NewMessage, StepWrite, StoredMessage } from "../../../runtime/job/steps/kept-step.ts";
import type { JobStore, SendAnswer, WriteAnswer } from "../../../runtime/executor/store/job-store.ts";
import type { HandOut } from "./hand-out.ts";
import type { HeldJob } from "./job-token.ts";
import type { MaybePromise } from "../../../runtime/executor/store/maybe-promise.ts";

/** A poll for messages. */
export interface MessagesAfter {
  /** Number of messages that the worker already has. */
  readonly after: number;
  /** Milliseconds for which the poll waits for a message. */
  readonly ms: number;
  /** Registers a function for a disconnect, and returns a function that removes it. */
  readonly onGone: (gone: () => void) => () => void;
}

/** Steps of jobs, and the messages to them. */
export class KeptJobs {
  readonly #store: JobStore;
  readonly #handOut: HandOut;

  constructor(store: JobStore, handOut: HandOut) {
    this.#store = store;
    this.#handOut = handOut;
  }

  /** Stores a step of an attempt. */
  keep(held: HeldJob, step: StepWrite): MaybePromise<WriteAnswer> {
    return this.#store.keep(held.lease, [step]);
  }

  /** All stored steps of a job, and the messages to it. */
  recall(id: JobUrn): MaybePromise<KeptParts> {
    return this.#store.recall(id);
  }

  /**
   * Runs an ended job again, as a new one with the stored results of the old job, or only with those before a step.
   * Undefined: the job has no stored results, or has not ended.
   */
  async fork(id: JobUrn, from: string | undefined): Promise<JobUrn | undefined> {
    const record = await this.#store.get(id);
    if (record?.outcome === undefined) return undefined;
    const as = newJobUrn();
    if ((await this.#store.fork(id, as, keysBefore(await this.recall(id), from))) !== "ok") return undefined;
    this.#handOut.wake(record.tool);
    return as;
  }

  /** Sends a message to a job, and wakes the job if it is parked for this message. */
  async send(id: JobUrn, service: string, message: NewMessage): Promise<SendAnswer> {
    const answer = await this.#store.send(id, message);
    if (answer === "ok") this.#handOut.wake(service);
    return answer;
  }

  /**
   * Returns the messages of a job after the first `after` ones. If there are none, waits for one, and returns an empty
   * list on timeout.
   */
  async messages(id: JobUrn, { after, ms, onGone }: MessagesAfter): Promise<readonly StoredMessage[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopWatching = this.#store.watch(id, (change) => {
      if (change === "answers" || change === "unknown") resolve();
    });
    const timer = setTimeout(resolve, ms);
    const stopListening = onGone(resolve);
    try {
      const found = await this.#messagesOf(id);
      if (found.length > after || ms === 0) return found.slice(after);
      await promise;
      return (await this.#messagesOf(id)).slice(after);
    } finally {
      clearTimeout(timer);
      stopWatching();
      stopListening();
    }
  }

  async #messagesOf(id: JobUrn): Promise<readonly StoredMessage[]> {
    return (await this.#store.recall(id, "messages")).messages;
  }
}
