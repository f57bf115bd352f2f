/** The work of one job. */
export type Step = () => Promise<void> | void;

export interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of this process's time per job, which other load affects less than the rate. */
  readonly cpu: number;
}

/** Does `count` jobs, some of them at the same time. */
export async function measure(step: Step, count: number, inFlight: number): Promise<Measured> {
  const cpu = process.cpuUsage();
  const times = new Float64Array(count);
  let next = 0;
  const started = performance.now();
  const loop = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const began = performance.now();
      await step();
      times[index] = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  times.sort();
  const [p50 = 0, p99 = 0] = [times[count >> 1], times[Math.trunc(count * 0.99)]];
  return { perSecond: (count / took) * 1000, p50, p99, cpu: (user + system) / count };
}
