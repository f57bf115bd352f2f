import type { GaugeValue, Telemetry } from "../telemetry.ts";

/** Numbers of a queue's jobs, with attributes that distinguish the queue from others. */
export interface GaugedQueue {
  readonly attributes: Readonly<Record<string, string>>;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** Seconds. */
  readonly oldestWaiting: number;
  readonly held?: number;
  /** Seconds. */
  readonly oldestHeld?: number;
}

/** Members of a queue with the name, unit and description of their gauge. */
const gauges = [
  ["waiting", "platform.jobs_waiting", "1", "Jobs that wait for a slot or a worker."],
  ["running", "platform.jobs_running", "1", "Jobs that run."],
  ["dead", "platform.jobs_dead", "1", "Jobs that were given up, since their workers were lost repeatedly."],
  ["oldestWaiting", "platform.jobs_oldest_waiting_seconds", "s", "Time for which the longest waiting job has waited."],
  ["held", "platform.jobs_held", "1", "Jobs that wait for their turn under a limit."],
  ["oldestHeld", "platform.jobs_oldest_held_seconds", "s", "Time for which the first of them has waited."],
] as const;

/** Adds the gauges of queues. All of them share one read per collection of metrics. */
export function addQueueGauges(
  addGauge: NonNullable<Telemetry["addGauge"]>,
  read: () => Promise<readonly GaugedQueue[]>,
): void {
  let reading: Promise<readonly GaugedQueue[]> | undefined;
  const shared = (): Promise<readonly GaugedQueue[]> => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
  for (const [member, name, unit, description] of gauges) {
    addGauge({ name, unit, description }, async (): Promise<readonly GaugeValue[]> => {
      const queues = await shared();
      return queues.map((queue) => ({ value: queue[member] ?? 0, attributes: queue.attributes }));
    });
  }
}
