import { ToolError } from "../../../runtime/base/errors.ts";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import type { Lease, NewJob, SubmitAnswer } from "../../../runtime/executor/store/job-store.ts";
import type { HandOut } from "./hand-out.ts";
import type { JobHub } from "./job-hub.ts";
import type { JobRequest, TakenJob } from "./job-request.ts";
import type { PlatformStore } from "./known-jobs.ts";

/** Seconds for which a finished job is stored. */
const keepSeconds = 14 * 86_400;
/** Number of lost leases after which a job becomes a dead letter. */
const maxAttempts = 3;

export interface IntakeOptions {
  readonly store: PlatformStore;
  readonly hub: JobHub;
  readonly handOut: HandOut;
  readonly leaseSeconds: number;
}

/** Accepts jobs: stores each one, and hands it out at once if a worker waits for it. */
export class Intake {
  readonly #options: IntakeOptions;
  #draining = false;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Submits a job; resolves when it is on disk. Throws `idempotency-conflict`, `draining`, `too-many-requests`. */
  async submit(request: JobRequest): Promise<TakenJob> {
    if (this.#draining) throw new ToolError("draining", "The platform is stopping.", { retryAfter: 1 });
    const {
      service,
      content,
      id = newJobUrn(),
      idempotency,
      traceparent,
      tracestate,
      baggage,
      limit,
      headStart,
    } = request;
    const job: NewJob = {
      id,
      tool: service,
      input: content,
      ttl: keepSeconds,
      maxAttempts,
      ...(content.parent !== undefined && { owner: content.parent }),
      ...(idempotency !== undefined && { idempotency }),
      ...(traceparent !== undefined && { traceparent }),
      ...(tracestate !== undefined && { tracestate }),
      ...(baggage !== undefined && { baggage }),
      ...(limit !== undefined && { limit }),
      ...(headStart !== undefined && { headStart }),
    };
    const answer = await this.#takeIn(job);
    const isForeign =
      answer.kind === "existing" && content.parent !== undefined && answer.record.owner !== content.parent;
    // A conflict: a job that reuses the id of another job must not get the result of that job.
    if (answer.kind === "conflict" || isForeign) {
      throw new ToolError("idempotency-conflict", "This Idempotency-Key or job id belongs to another request.");
    }
    if (answer.kind === "existing") return { id: answer.record.id, isNew: false, outcome: answer.record.outcome };
    return { id, isNew: true };
  }

  /** Refuses jobs from now on. */
  drain(): void {
    this.#draining = true;
  }

  /** Stores a new job; if a worker waits, the same statement leases the job to the longest waiting one. */
  async #takeIn(job: NewJob): Promise<SubmitAnswer> {
    const { id, tool: service } = job;
    const { store, hub, handOut, leaseSeconds } = this.#options;
    const promised = handOut.promise(service);
    let given: Lease | undefined;
    try {
      const answer = await store.submit(job, promised && leaseSeconds, promised?.worker);
      if (answer.kind !== "created") return answer;
      if (hub.hears(id)) hub.tell({ kind: "state", id, service, state: { status: "pending" } });
      given = answer.lease;
      return answer;
    } finally {
      promised?.give(job, given);
    }
  }
}
