import { ToolError } from "../../../base/errors.ts";
import type { Job, JobUrn } from "../../../job/job.ts";
import type { Conversation } from "../../../job/conversation.ts";

/**
 * Milliseconds for which a job waits for an answer in memory. An answer that comes later makes the job run again from
 * its start.
 */
const patience = 600_000;
/** Maximum number of waiting jobs; the oldest is dropped. */
const mostWaiting = 1000;

export interface WaitingCall {
  readonly job: Job;
  readonly conversation: Conversation;
}

/** Jobs with an unanswered question. Such a job holds no connection, no slot of the executor and no timer. */
export class WaitingCalls {
  readonly #calls = new Map<JobUrn, WaitingCall & { readonly since: number }>();
  #sweep: NodeJS.Timeout | undefined;

  add(call: WaitingCall): void {
    const { job } = call;
    job.suspend?.();
    this.#calls.set(job.id, { ...call, since: performance.now() });
    job.onEnd(() => this.#calls.delete(job.id));
    const [oldest] = this.#calls.values();
    if (this.#calls.size > mostWaiting && oldest !== undefined) this.#drop(oldest);
    this.#sweep ??= setInterval(() => this.#dropOld(), patience / 10).unref();
  }

  /** Removes a waiting job, so that it belongs to the calling code; undefined if the job is not or no longer here. */
  take(id: string, capabilities: Conversation["capabilities"]): WaitingCall | undefined {
    const call = this.#calls.get(id as JobUrn);
    if (call === undefined) return undefined;
    this.#calls.delete(call.job.id);
    call.conversation.capabilities = capabilities;
    call.job.resume?.();
    return call;
  }

  #dropOld(): void {
    for (const call of this.#calls.values()) if (performance.now() - call.since > patience) this.#drop(call);
    if (this.#calls.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #drop({ job, conversation }: WaitingCall): void {
    this.#calls.delete(job.id);
    conversation.close(new ToolError("cancelled", "Nobody answered the tool's question in time."));
    job.cancel("Nobody answered the tool's question in time.");
  }
}
