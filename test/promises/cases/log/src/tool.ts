import { getLogger, ValueError, type JobContext } from "tenon";

/** Writes lines.
 * @tool
 * @param mark Names the call. */
export async function writeLines(mark: string, job: JobContext): Promise<void> {
  job.logger.info({ mark, place: "job" }, "by the job");
  await new Promise((resolve) => setTimeout(resolve, 1));
  getLogger("helper").warn({ mark, place: "helper", password: "geheim", tool: "mine" }, "by a helper");
}

/** Prints to standard output.
 * @tool
 * @param mark Names the call. */
export function printLine(mark: string): string {
  console.log(`printed ${mark}`);
  process.stdout.write("");
  return mark;
}

/** Throws what callers must not see.
 * @tool
 * @param mark Names the call. */
export async function throwSecret(mark: string): Promise<void> {
  await Promise.resolve();
  throw new TypeError(`secret of ${mark}`, { cause: new Error("deeper") });
}

/** Leaves a rejection behind.
 * @tool
 * @param mark Names the call. */
export async function leaveRejection(mark: string): Promise<string> {
  void Promise.reject(new Error(`left behind by ${mark}`));
  await new Promise((resolve) => setTimeout(resolve, 5));
  return mark;
}

/** Throws a mistake of its caller.
 * @tool */
export function throwMistake(): void {
  throw new ValueError("A mistake.", { cause: new Error("hidden") });
}
