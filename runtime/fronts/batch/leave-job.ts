import type { Parking } from "../../job/steps/kept-step.ts";
import { backOff } from "../../outside/platform/sidecar/back-off.ts";
import { ownHeaders } from "../../outside/platform/sidecar/call-owner.ts";
import type { Clock } from "../../base/clock.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import { call } from "../../outside/platform/sidecar/judge-answer.ts";
import { sidecarPath, type SidecarClient } from "../../outside/platform/sidecar/sidecar-client.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { JobRun } from "./job-run.ts";

/** Timeout in milliseconds for releasing a job, and for sending its events before that. */
const releaseTimeout = 1000;
/** Timeout in milliseconds for parking a job. */
const parkTimeout = 10_000;
/** Maximum number of attempts to park a job, which together take some minutes. */
const mostParkings = 12;

export interface LeaveOptions {
  readonly delivery: Delivery;
  readonly client: SidecarClient;
  readonly clock: Clock;
}

/** Releases a job without counting the attempt. Used when the worker must stop before the job has ended. */
export async function handBack({ id, name, owner }: JobRun, { delivery, client, clock }: LeaveOptions): Promise<void> {
  await Promise.race([delivery.flush(id), clock.sleep(releaseTimeout)]);
  const path = sidecarPath("jobs", name, "release");
  const verdict = await call(client, { method: "POST", path, headers: ownHeaders(owner), timeout: releaseTimeout });
  const log = getLogger("tenon");
  if (verdict.kind === "accepted") log.info({ job_id: id }, "job handed back");
  else
    log.warn(
      { job_id: id },
      "job could not be handed back: the platform gives it to another worker when its lease ends",
    );
}

/**
 * Parks a job until a time or a message. While the platform does not answer, the lease is renewed and parking is
 * retried.
 */
export async function park(
  run: JobRun,
  parking: Parking,
  { delivery, client, clock }: LeaveOptions,
  isStopping: () => boolean,
): Promise<void> {
  const log = getLogger("tenon");
  const { id, name } = run;
  await delivery.flush(id);
  for (let failures = 1; !run.dropped; failures++) {
    const path = sidecarPath("jobs", name, "park");
    const headers = { ...ownHeaders(run.owner), "Content-Type": "application/json" };
    const body = JSON.stringify(parking);
    const verdict = await call(client, { method: "POST", path, headers, body, timeout: parkTimeout });
    if (verdict.kind === "accepted") return log.debug({ job_id: id }, "job parked");
    if (verdict.kind !== "failed" || isStopping() || failures >= mostParkings)
      return log.warn({ job_id: id }, "job could not be parked: it goes on when its lease ends");
    await clock.sleep(backOff(failures, clock.random, verdict.retryAfter));
  }
}
