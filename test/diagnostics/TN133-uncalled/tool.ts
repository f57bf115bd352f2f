import { getJobContext, type JobContext } from "tenon";

interface Stairs {
  readonly step: number;
  wait(): number;
}

/**
 * Takes methods from the job.
 * @param id - Id of an order.
 * @tool
 */
export async function uncalled(id: string, job: JobContext): Promise<string> {
  const { step, report } = job;
  const { sleep: pause, ...others } = getJobContext();
  const wait = job.wait;
  const byName = job["step"];
  await pause("1 day");
  await wait<boolean>("approval");
  await step.call(job, "bound", () => id);
  await taken(job);
  await (job.step)("within parentheses", () => id);
  await job["step"]("called by a text", () => id);
  report.step("reported", () => typeof job.step);
  return climb({ step: 1, wait: () => 2 }) + String(others) + String(byName);
}

async function taken({ ask, step: once = undefined }: JobContext): Promise<void> {
  await ask<boolean>(`May I? ${String(once)}`);
}

function climb(stairs: Stairs): string {
  const { step, wait } = stairs;
  return String([step, stairs.step, stairs["wait"], wait(), stairs.wait()]);
}
