import type { Job } from "../../job/job.ts";

/** A caller that waits for a job. */
export interface Waiter {
  readonly job: Job;
  readonly milliseconds: number;
  /** Called once, if the job outlasts the turn in which it began. */
  readonly watch: () => void;
  /** Called when the time has passed before the job has ended. */
  readonly late: () => void;
  timer: NodeJS.Timeout | undefined;
  /** True when the caller has its answer. */
  over: boolean;
}

/**
 * Creates a function that starts the timers of waiters at the end of the current turn of the event loop. Most
 * asynchronous tools have ended by then, and a timer for each would cost more than all checks of the request.
 */
export function createWaitingRoom(): (waiter: Waiter) => void {
  let newcomers: Waiter[] = [];
  const startClocks = (): void => {
    const waiters = newcomers;
    newcomers = [];
    for (const waiter of waiters) {
      if (waiter.over) continue;
      waiter.watch();
      waiter.timer = setTimeout(() => {
        waiter.over = true;
        waiter.late();
      }, waiter.milliseconds);
    }
  };
  return (waiter) => {
    if (newcomers.push(waiter) === 1) setImmediate(startClocks);
  };
}
