import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "../../contract/validation/json-value.ts";
import type { Job, JobUrn, PlatformGrant } from "../../job/job.ts";
import { requestDigest } from "../../job/request-digest.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { LeaseListener } from "./lease.ts";
import type { FetchedJob } from "./read-job.ts";

/** Maximum characters that are kept of the platform's reason for a cancellation. */
const longestReason = 500;

/**
 * A run of a platform job in this process. During the run, the platform may hand the job out again, as another attempt.
 */
export class JobRun {
  readonly id: JobUrn;
  /** The job's id at the sidecar: two of its ids may stand for one URN. */
  readonly name: string;
  /** Equal for two jobs with the same id at the sidecar and the same request. */
  readonly fingerprint: string;
  readonly ended: Promise<void>;
  readonly end: () => void;
  owner: PlatformGrant;
  job: Job | undefined;
  /** True when the platform no longer wants a result of this run. */
  dropped = false;
  letGo: () => void = () => {};
  readonly #aside = Promise.withResolvers<void>();

  constructor({ id, content, authorization, attempt }: FetchedJob) {
    this.id = id;
    this.name = attempt.id;
    this.fingerprint = requestDigest(attempt.id, canonicalJson(content));
    this.owner = { authorization, attempt };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.end = resolve;
  }

  /** Continues the run as another attempt. */
  adopt({ authorization, attempt }: FetchedJob): void {
    const owner = { authorization, attempt };
    // A repeated job with the same token is ignored: a platform without leases may hand out the same job twice.
    if (isDeepStrictEqual(this.owner, owner)) return;
    this.owner = owner;
    this.job?.moveTo?.(owner);
  }

  /** Resolves when the next job may run: this one has ended, or its result is not taken and has stepped aside. */
  get passed(): Promise<void> {
    return Promise.race([this.ended, this.#aside.promise]);
  }

  /** Lets the next job run before the result of this one is delivered. */
  stepAside(): void {
    this.#aside.resolve();
  }

  /** Ends the run without a result. */
  drop(reason: string): void {
    this.dropped = true;
    this.job?.cancel(reason);
  }

  /** Takes notifications about the run's lease. */
  readonly hearLease: LeaseListener = (kind, given) => {
    const known = logState().redactor.known(given, this.owner.authorization);
    const reason = known.length > longestReason ? `${known.slice(0, longestReason)}…` : known;
    getLogger("tenon").warn({ job_id: this.id, reason }, leaseTexts[kind]);
    if (kind === "cancel" || kind === "lost") this.drop(reason);
  };
}

const leaseTexts: Readonly<Record<Parameters<LeaseListener>[0], string>> = {
  cancel: "job cancelled by the platform",
  lost: "job lost",
  failing: "the lease of the job is not renewed, trying again",
  expired:
    "the lease of the job has run out unless the platform was down: another worker may get the job, but it goes on here",
};
