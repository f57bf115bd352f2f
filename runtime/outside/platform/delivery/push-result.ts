import { isSystemError, systemReason } from "../../../base/system-reason.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";
import { describeThrown } from "../../../telemetry/log/describe-thrown.ts";
import { backOff, isLogged } from "../sidecar/back-off.ts";
import type { Clock } from "../../../base/clock.ts";
import { call, type Verdict } from "../sidecar/judge-answer.ts";
import { tooLargeRequest, type ResultRequest } from "./result-request.ts";
import { sidecarPath, type SidecarClient } from "../sidecar/sidecar-client.ts";
import type { SavedResult, Spool, Spooled } from "./spool.ts";

/** Maximum number of tries with a sidecar that refuses a result; more would not help. */
const refusals = 5;
const defaultTimeout = 30_000;
/** Number of failures after which a result lets others go first, which takes about 45 s. */
const failuresInTurn = 5;

/**
 * `stored`: the platform has the result. `stale`: another attempt holds the job, and this result is dropped. `refused`:
 * the result was set aside on disk, for people. `left`: the result waits on disk for its next turn, or the next start.
 */
export type PushEnd = "stored" | "stale" | "refused" | "left";

export interface PushOptions {
  readonly client: SidecarClient;
  readonly spool: Spool;
  readonly clock: Clock;
  /** Aborted when the process must end; an undelivered result then stays on disk. */
  readonly signal: AbortSignal;
  /** Timeout of one call in milliseconds; default 30 s. */
  readonly timeout?: number;
  /**
   * Called now and then with the file of a result that the sidecar answers without taking it. Returns true if other
   * results go first, and this one is pushed again later.
   */
  readonly makeWay?: (file: string) => boolean;
}

/**
 * Delivers a result, retrying until the sidecar has answered. After the first failure the result is saved to disk, so
 * that it is not lost even if the process is killed. Never rejects.
 * @param already The file that the result came from
 */
export async function pushResult(request: ResultRequest, options: PushOptions, already?: Spooled): Promise<PushEnd> {
  const { client, clock, signal, timeout = defaultTimeout } = options;
  const log = getLogger("tenon").child({ job_id: request.id });
  let current = request;
  let onDisk = already;
  let refused = 0;
  const start = clock.now();
  for (let failures = 0; ;) {
    const verdict = signal.aborted ? aborted : await call(client, { ...requestOptions(current, timeout), signal });
    switch (verdict.kind) {
      case "accepted":
        await onDisk?.remove().catch(() => {});
        if (failures > 0) log.info({ failures }, "result delivered");
        return "stored";
      case "stale":
        log.warn(
          { reason: verdict.reason },
          "result dropped: the platform has given the job to another worker, or has ended it",
        );
        await onDisk?.remove().catch(() => {});
        return "stale";
      case "aborted":
        onDisk ??= await saveResult(options.spool, current);
        if (onDisk !== undefined)
          log.warn({ file: onDisk.file }, "result not delivered: it waits on disk for the next start");
        return "left";
      case "refused":
        if (verdict.answer?.status === 413 && !current.isError) {
          log.error({ bytes: current.body.byteLength }, "result too large for the sidecar: an error is sent instead");
          current = tooLargeRequest(current);
          continue;
        }
        refused += verdict.answer === undefined ? refusals : 1;
    }
    failures++;
    onDisk ??= await saveResult(options.spool, current, { isLogged: isLogged(failures) });
    if (refused >= refusals) {
      await onDisk?.setAside();
      log.error(
        { reason: verdict.reason, file: onDisk && `${onDisk.file}.refused` },
        "result refused: it stays on disk and is not sent again",
      );
      return "refused";
    }
    if (isLogged(failures)) {
      const seconds = Math.round((clock.now() - start) / 1000);
      log.warn({ reason: verdict.reason, failures, seconds }, "result not delivered yet, trying again");
    }
    await clock.sleep(backOff(failures, clock.random, waitAsked(verdict)), signal);
    // While the sidecar is away, other results would do no better.
    const isInTheWay = failures % failuresInTurn === 0 && verdict.kind === "failed" && verdict.reachable;
    if (isInTheWay && !signal.aborted && onDisk !== undefined && options.makeWay?.(onDisk.file) === true) return "left";
  }
}

const aborted: Verdict = { kind: "aborted" };

function waitAsked(verdict: Verdict): number {
  return verdict.kind === "failed" ? (verdict.retryAfter ?? 0) : 0;
}

function requestOptions(
  { id, headers, isError, contentType, body }: ResultRequest,
  timeout: number,
): Parameters<SidecarClient["send"]>[0] {
  return {
    method: "POST",
    path: sidecarPath("results", id),
    headers: { ...headers, "Content-Type": contentType, "Is-Error": String(isError) },
    body,
    timeout,
  };
}

export interface SaveOptions {
  readonly events?: SavedResult["events"];
  /** False for one more try whose failure is known; default true. */
  readonly isLogged?: boolean;
}

/** Saves a result to disk, without its events if they do not fit. Undefined if that fails. Failures are logged. */
export async function saveResult(
  spool: Spool,
  request: ResultRequest,
  { events = [], isLogged = true }: SaveOptions = {},
): Promise<SavedResult | undefined> {
  try {
    return { ...(await spool.save(request, events)), request, events };
  } catch (error) {
    const cause = isSystemError(error)
      ? { reason: `PLATFORM_SPOOL_DIR, ${spool.folder}, cannot be written: ${systemReason(error)}` }
      : { error: describeThrown(error) };
    const lost =
      events.length === 0 ? "the result cannot be put on disk: it is" : "events cannot be put on disk: they are";
    if (isLogged)
      getLogger("tenon").error(
        { job_id: request.id, ...cause },
        `${lost} lost when the process ends before the sidecar takes ${events.length === 0 ? "it" : "them"}`,
      );
    return events.length === 0 ? undefined : saveResult(spool, request, { isLogged });
  }
}
