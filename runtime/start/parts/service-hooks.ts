import { StartError } from "../../base/start-error.ts";
import type { Config } from "../../service/config/config.ts";
import type { Service, ServiceHook } from "../../service/service.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { flushLogs, getLogger } from "../../telemetry/log/logging.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";

/** Maximum milliseconds for `onStop`: the usual 30 s of a container, less the grace period of running jobs. */
const stopTimeout = 5000;

/** Awaits `onStart`. Throws a `StartError` when it fails; the thrown value is logged. */
export async function runStartHook(
  { onStart }: Service,
  { startTimeout }: Pick<Config, "startTimeout">,
): Promise<void> {
  if (onStart === undefined) return;
  try {
    if (await isInTime(onStart, startTimeout)) return;
  } catch (thrown) {
    getLogger("tenon").fatal({ error: describeThrown(thrown) }, "onStart failed");
    await flushLogs();
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new StartError(`The service does not start, because its onStart failed: ${reason}`);
  }
  throw new StartError(
    `The service does not start, because its onStart took longer than ${startTimeout / 1000} s. ` +
      "Give it more time by PLATFORM_START_TIMEOUT, in seconds.",
  );
}

/** Awaits `onStart`. When it fails, telemetry is closed, so that the collector gets what the log says of it. */
export async function startObserved(service: Service, config: Config, telemetry: Telemetry): Promise<void> {
  try {
    await runStartHook(service, config);
  } catch (error) {
    await telemetry.close();
    throw error;
  }
}

/**
 * Closes what a start has opened that fails after `onStart`.
 *
 * @param opening The request handling, if its loading has begun; it may have failed
 */
export async function abandonStart(
  service: Service,
  telemetry: Telemetry,
  opening: Promise<{ stop(): Promise<void> }> | undefined,
): Promise<void> {
  const opened = await opening?.catch(() => undefined);
  if (opened !== undefined) return opened.stop();
  await runStopHook(service);
  await telemetry.close();
}

/** Awaits `onStop`. Never rejects: the service stops anyway, and failures are logged. */
export async function runStopHook({ onStop }: Service): Promise<void> {
  if (onStop === undefined) return;
  try {
    if (await isInTime(onStop, stopTimeout)) return;
    getLogger("tenon").error(`onStop took longer than ${stopTimeout / 1000} s; the service stops without it`);
  } catch (thrown) {
    getLogger("tenon").error({ error: describeThrown(thrown) }, "onStop failed");
  }
}

/**
 * Stops the old service before the new one starts, since both may use connections in a module that has not changed. The
 * old service starts again when the new one cannot.
 */
export async function exchangeService(old: Service, next: Service, config: Config): Promise<void> {
  await runStopHook(old);
  try {
    await runStartHook(next, config);
  } catch (error) {
    await runStartHook(old, config);
    throw error;
  }
}

/** False when the hook exceeds its time limit. */
async function isInTime(hook: ServiceHook, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
  try {
    return await Promise.race([Promise.resolve(hook()).then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
