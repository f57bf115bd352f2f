import type { JobContext } from "tenon";

declare function lock(): Disposable;
declare function release(): void;

/**
 * Waits where an end must follow.
 * @tool
 */
export async function run(job: JobContext): Promise<void> {
  try {
    await job.sleep("1 day");
  } finally {
    release();
  }
  {
    using held = lock();
    await job.wait<boolean>("approval");
    job.logger.info({ held }, "held");
  }
  await job.step("waits", async () => {
    await job.sleep("1 day");
    return 1;
  });
  try {
    await job.wait<boolean>("news", { within: "1 hour" });
  } catch {
    await job.sleep("1 hour", { name: "again" });
  }
}

async function approved(job: JobContext): Promise<boolean> {
  return job.wait<boolean>("call");
}

const both = async (job: JobContext): Promise<boolean> => (await approved(job)) && (await approved(job));

/**
 * Waits in functions that it calls.
 * @tool
 */
export async function indirect(job: JobContext): Promise<void> {
  await approved(job);
  try {
    await both(job);
  } finally {
    release();
  }
}
