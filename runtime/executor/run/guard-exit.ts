import { currentJob } from "../../job/current-job.ts";

/** A tool called `process.exit`. */
export class SystemExit extends Error {
  override readonly name: string = "SystemExit";
}

/**
 * Makes `process.exit` inside a job an error of that job, so that one tool cannot end the jobs of the others; outside of
 * jobs it is what it was. Returns the removal.
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
