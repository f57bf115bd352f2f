import { currentJob } from "../../job/current-job.ts";

/** Thrown when a tool calls `process.exit`. */
export class SystemExit extends Error {
  override readonly name: string = "SystemExit";
}

/**
 * Turns `process.exit` inside a job into an error of that job, so that one tool cannot end the jobs of others. Outside
 * of jobs, `process.exit` is unchanged. Returns a function that restores it.
 */
export function guardExit(): () => void {
  const original = process.exit;
  const guarded = (code?: number | string | null): never => {
    if (currentJob.getStore() === undefined) return original.call(process, code);
    throw new SystemExit(`The tool called process.exit(${code ?? ""}).`);
  };
  process.exit = guarded;
  return () => {
    if (process.exit === guarded) process.exit = original;
  };
}
