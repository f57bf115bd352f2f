import type { JobContext } from "tenon";

/**
 * Uses one name twice.
 * @param sure - Really?
 * @tool
 */
export async function run(sure: boolean, job: JobContext): Promise<void> {
  if (sure) await job.step("charge", () => 1);
  else await job.step("charge", () => 2);
  const later = (): Promise<number> => job.step("charge", () => 3);
  await later();
  await job.step("other", () => 3);
}

async function first(job: JobContext): Promise<string> {
  return (await job.wait<{ a: string }>("answer")).a;
}

async function second(job: JobContext): Promise<number> {
  return (await job.wait<{ b: number }>("answer", { scope: "answers" })).b;
}

/**
 * Uses one name in two functions.
 * @param sure - Really?
 * @tool
 */
export async function either(sure: boolean, job: JobContext): Promise<string> {
  return sure ? first(job) : String(await second(job));
}
